//! What is held, waited for and done, as Prometheus text.

use std::{net::SocketAddr, sync::Arc};

use app::{model::Refusal, studio::Caller};
use axum::extract::{ConnectInfo, State};
use http::header::CONTENT_TYPE;
use metrics_exporter_prometheus::{PrometheusBuilder, PrometheusRecorder};

use super::{problem::Problem, request::Asker, state::AppState};
use crate::pictures::Spread;

/// Renders figures. It keeps a recorder of its own: no global one, so that two servers in one process do not mix.
#[derive(Clone)]
pub(super) struct Meter(Arc<PrometheusRecorder>);

impl Meter {
    pub(super) fn new() -> Self {
        Self(Arc::new(PrometheusBuilder::new().build_recorder()))
    }

    /// Runs `record`, which names the figures as they stand now, and writes them out.
    pub(super) fn render(&self, record: impl FnOnce()) -> String {
        metrics::with_local_recorder(&*self.0, record);
        self.0.handle().render()
    }
}

/// Writes a histogram whose counts are kept elsewhere.
pub(super) fn write_spread(text: &mut String, name: &str, spread: &Spread) {
    let mut lines = format!("# TYPE {name} histogram\n");
    for (bound, count) in &spread.up_to {
        lines.push_str(&format!("{name}_bucket{{le=\"{bound}\"}} {count}\n"));
    }
    let Spread { count, sum, .. } = spread;
    lines.push_str(&format!("{name}_bucket{{le=\"+Inf\"}} {count}\n{name}_sum {sum}\n{name}_count {count}\n"));
    text.push_str(&lines);
}

/// For the machine itself, or for an admin's token.
pub(crate) async fn show_metrics(
    State(state): State<AppState>,
    peer: Option<axum::Extension<ConnectInfo<SocketAddr>>>,
    Asker(caller): Asker,
) -> Result<([(http::HeaderName, &'static str); 1], String), Problem> {
    let loopback = peer.is_some_and(|peer| peer.0.0.ip().is_loopback());
    // Behind a proxy on the same machine everybody comes from loopback: what was forwarded counts as from outside.
    let forwarded = ["forwarded", "x-forwarded-for"].iter().any(|name| caller.headers.contains_key(*name));
    if !loopback || forwarded {
        only_admins(&state, &caller).await?;
    }
    Ok(([(CONTENT_TYPE, "text/plain; version=0.0.4")], state.measure()))
}

async fn only_admins(state: &AppState, caller: &Caller) -> Result<(), Refusal> {
    if state.studio.principal(caller).await?.admin { Ok(()) } else { Err(Refusal::Forbidden) }
}
