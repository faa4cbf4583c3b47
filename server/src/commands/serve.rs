//! `avatars serve`: runs the studio until it is asked to end.

use std::{io, time::Duration};

use app::model::Kind;
use tokio::{
    net::TcpListener,
    signal::unix::{SignalKind, signal},
    task::JoinSet,
};
use tokio_util::sync::CancellationToken;

use super::{
    Failure, log, open,
    plan::{self, Descriptors},
};
use crate::{
    admission::{ConnectionLimits, Slots, SlotsConfig, serve},
    config::Config,
    http::{AppState, Parts, router},
    intake::{keeper, watched},
    review::HeldDesk,
};

/// How long bodies in flight may take once the end has been asked for.
const DRAIN: Duration = Duration::from_secs(30);
/// The longest without a request in flight, and so the longest that a request's head may take.
const IDLE: Duration = Duration::from_secs(30);
/// The longest silence within a request's body.
const BODY_IDLE: Duration = Duration::from_secs(30);

pub(super) async fn run(config: Config) -> Result<(), Failure> {
    log::start(&config)?;
    let Descriptors { plan, uploads } =
        plan::descriptors(&config).map_err(|error| Failure::Usage(error.to_string()))?;
    let studio = open::studio(&config, uploads).await?;
    let slots =
        Slots::new(SlotsConfig { slots: config.media.concurrency, queue: config.media.queue, wait: config.media.wait });
    let ending = CancellationToken::new();
    let parts = Parts {
        store: studio.store.clone(),
        originals: studio.originals,
        renditions: studio.renditions,
        intake: studio.intake,
        fetcher: open::fetcher(&config)?,
        studio: studio.review,
        slots: slots.clone(),
        budget: studio.budget,
        planned_descriptors: plan.planned(),
        ending: ending.clone(),
    };
    let mut watching = JoinSet::new();
    for watched in &config.watch {
        let place = (&watched.family, &watched.subject, &watched.batch);
        let target = open::target(&studio.store, place, Kind::Candidate, "a watched folder").await?;
        watching.spawn(watched::run(parts.intake.clone(), watched.clone(), target, ending.clone()));
    }
    let keeping = tokio::spawn(keeper::run(parts.intake.clone(), ending.clone()));
    let state = AppState::new(parts, &config);
    let telling = tokio::spawn(HeldDesk::clone(&state.held).pass_on());
    let router = router(state, slots)?;

    let shutdown = asked_to_end(ending).map_err(|error| Failure::Failed(format!("waiting for signals: {error}")))?;
    let listener = TcpListener::bind(config.listen)
        .await
        .map_err(|error| Failure::Failed(format!("cannot listen on {}: {error}", config.listen)))?;
    let address = listener.local_addr().map_err(|error| Failure::Failed(error.to_string()))?;
    println!("Avatars is at http://{address}");

    let limits = ConnectionLimits {
        connections: plan.connections(),
        write_idle: config.write_idle,
        idle: IDLE,
        body_idle: BODY_IDLE,
        drain: DRAIN,
    };
    let drained = serve(listener, router, limits, shutdown)
        .await
        .map_err(|error| Failure::Failed(format!("the listener broke: {error}")))?;
    telling.abort();
    while let Some(ended) = watching.join_next().await {
        if let Err(error) = ended {
            tracing::error!(%error, "a watch over a folder has failed");
        }
    }
    if let Err(error) = keeping.await {
        tracing::error!(%error, "the keeper of the quarantine has failed");
    }
    studio.store.close().await;
    if drained.cut > 0 {
        tracing::warn!(connections = drained.cut, "cut off: they did not finish in time");
    }
    tracing::info!("ended");
    Ok(())
}

/// Completes on SIGTERM, and on Ctrl-C. The handlers are set before it is first polled.
fn asked_to_end(ending: CancellationToken) -> io::Result<impl Future<Output = ()>> {
    let (mut terminate, mut interrupt) = (signal(SignalKind::terminate())?, signal(SignalKind::interrupt())?);
    Ok(async move {
        tokio::select! {
            _ = terminate.recv() => {}
            _ = interrupt.recv() => {}
        }
        ending.cancel();
        tracing::info!("asked to end: finishing what is in flight");
    })
}
