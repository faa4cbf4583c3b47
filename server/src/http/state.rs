//! What the handlers share, built once at the start and handed down.

use std::{ops::Deref, sync::Arc, time::Duration};

use app::site::{SessionCookie, SiteFiles};
use axum::extract::FromRef;
use leptos::config::LeptosOptions;
use metrics::{counter, gauge};
use tokio_util::sync::CancellationToken;

use super::{
    metrics::{Meter, write_spread},
    pages, site,
};
use crate::{
    accounts::SESSION,
    admission::{ByteBudget, Slots, resident, used},
    config::{Config, MediaCache},
    intake::{Fetcher, Guard, Intake},
    originals::Originals,
    pictures::{Presets, Renditions},
    review::{FailingDesk, HeldDesk, Review},
    scanner::{Scanner, Tally},
    store::Store,
};

/// After so long with every slot taken, somebody waiting and none freed, the server is not ready.
const STUCK: Duration = Duration::from_secs(60);

/// The parts of the studio that the edge stands on.
#[derive(Clone)]
pub(crate) struct Parts {
    pub(crate) store: Store,
    pub(crate) originals: Originals,
    pub(crate) renditions: Renditions,
    pub(crate) intake: Intake,
    pub(crate) fetcher: Fetcher,
    pub(crate) studio: Arc<Review>,
    pub(crate) slots: Slots,
    pub(crate) budget: ByteBudget,
    /// How many files the server may have open, by its plan.
    pub(crate) planned_descriptors: u64,
    /// Cancelled when the server is asked to end: what would never end by itself ends then.
    pub(crate) ending: CancellationToken,
}

/// What every request may ask for. Cloned for each, several times: one count is all that it costs.
#[derive(Clone)]
pub(crate) struct AppState(Arc<Shared>);

/// The parts, and what of the settings shows in answers.
pub(crate) struct Shared {
    store: Store,
    slots: Slots,
    budget: ByteBudget,
    meter: Meter,
    planned_descriptors: u64,
    pub(super) originals: Originals,
    pub(super) renditions: Renditions,
    pub(super) intake: Intake,
    pub(super) fetcher: Fetcher,
    pub(super) studio: Arc<Review>,
    pub(crate) held: Arc<HeldDesk>,
    pub(super) cookie: SessionCookie,
    pub(super) site: Option<SiteFiles>,
    pub(super) media_cache: MediaCache,
    pub(super) presets: Presets,
    pub(super) failing: Arc<FailingDesk>,
    pub(super) public_url: Option<String>,
    pub(super) leptos: LeptosOptions,
    pub(super) ending: CancellationToken,
}

impl AppState {
    pub(crate) fn new(parts: Parts, config: &Config) -> Self {
        let site = site::files();
        if site.is_none() {
            tracing::warn!("the site has not been built: pages come without style and scripts");
        }
        let failing = FailingDesk::new(parts.studio.clone(), parts.store.clone(), parts.renditions.clone());
        let shared = Shared {
            failing: Arc::new(failing),
            store: parts.store,
            slots: parts.slots,
            budget: parts.budget,
            meter: Meter::new(),
            planned_descriptors: parts.planned_descriptors,
            originals: parts.originals,
            renditions: parts.renditions,
            held: Arc::new(HeldDesk::new(parts.studio.clone(), parts.intake.clone())),
            intake: parts.intake,
            fetcher: parts.fetcher,
            studio: parts.studio,
            cookie: SessionCookie { secure: config.https, max_age: SESSION.unsigned_abs() },
            site,
            media_cache: config.media.cache,
            presets: config.presets.clone(),
            public_url: config.public_url.clone(),
            leptos: pages::leptos_options(),
            ending: parts.ending,
        };
        Self(Arc::new(shared))
    }

    /// What is not ready, in words; nothing where all is well.
    pub(super) async fn not_ready(&self) -> Vec<String> {
        let mut missing = Vec::new();
        if let Err(error) = self.store.ping().await {
            tracing::error!(%error, "the database does not answer");
            missing.push("the database does not answer".to_owned());
        }
        let originals = self.originals.clone();
        let probed = tokio::task::spawn_blocking(move || originals.probe()).await;
        if !matches!(probed, Ok(Ok(()))) {
            tracing::error!(?probed, "the store of originals cannot be written");
            missing.push("the store of originals cannot be written".to_owned());
        }
        if self.slots.snapshot().stuck_for.is_some_and(|stuck| stuck >= STUCK) {
            missing.push("no media slot has come free for a minute".to_owned());
        }
        missing.extend(self.scanner().and_then(|scanner| scanner.standing().trouble()));
        missing
    }

    fn scanner(&self) -> Option<&Scanner> {
        self.intake.guard().and_then(Guard::scanner)
    }

    /// All figures as they stand now.
    pub(super) fn measure(&self) -> String {
        let (slots, budget, door) = (self.slots.snapshot(), self.budget.snapshot(), self.intake.door());
        let (descriptors, resident) = (used(), resident());
        let scans = self.scanner().map(Scanner::tally);
        let estimates = self.renditions.estimates();
        let mut text = self.meter.render(|| {
            gauge!("avatars_media_slots_total").set(slots.slots as f64);
            gauge!("avatars_media_slots_in_use").set(slots.in_use as f64);
            gauge!("avatars_media_slots_in_use_by_originals").set(slots.heavy_in_use as f64);
            gauge!("avatars_media_slots_waiting").set(slots.waiting as f64);
            counter!("avatars_media_slots_granted_total").absolute(slots.granted_total);
            counter!("avatars_media_slots_waited_total").absolute(slots.waited_total);
            gauge!("avatars_media_slots_waited_seconds").set(slots.waited_seconds);
            counter!("avatars_media_slots_held_total").absolute(slots.held_total);
            gauge!("avatars_media_slots_held_seconds").set(slots.held_seconds);
            counter!("avatars_media_refused_full_total").absolute(slots.refused_full_total);
            counter!("avatars_media_refused_late_total").absolute(slots.refused_late_total);
            counter!("avatars_media_abandoned_total").absolute(slots.abandoned_total);
            gauge!("avatars_descriptors_planned").set(self.planned_descriptors as f64);
            if let Ok(used) = descriptors {
                gauge!("avatars_descriptors_used").set(used as f64);
            }
            if let Some(Tally { clean, infected, too_large, failed }) = scans {
                for (verdict, count) in
                    [("clean", clean), ("infected", infected), ("too-large", too_large), ("none", failed)]
                {
                    counter!("avatars_scans_total", "verdict" => verdict).absolute(count);
                }
            }
            gauge!("avatars_memory_budget_bytes").set(budget.total as f64);
            gauge!("avatars_memory_used_bytes").set(budget.used as f64);
            gauge!("avatars_memory_peak_bytes").set(budget.peak as f64);
            gauge!("avatars_memory_waiting").set(budget.waiting as f64);
            gauge!("avatars_intake_files").set(door.files as f64);
            gauge!("avatars_intake_bytes").set(door.bytes as f64);
            counter!("avatars_intake_admitted_total").absolute(door.admitted_total);
            counter!("avatars_intake_waited_total").absolute(door.waited_total);
            counter!("avatars_intake_refused_total").absolute(door.refused_total);
            if let Ok(resident) = resident {
                gauge!("avatars_memory_resident_bytes").set(resident.now as f64);
                gauge!("avatars_memory_resident_peak_bytes").set(resident.peak as f64);
            }
            counter!("avatars_renders_total").absolute(self.renditions.rendered());
            gauge!("avatars_renders_in_flight").set(self.renditions.in_flight() as f64);
            gauge!("avatars_renders_failing").set(self.renditions.failing().len() as f64);
        });
        write_spread(&mut text, "avatars_decode_estimate_bytes", &estimates);
        text
    }
}

impl Deref for AppState {
    type Target = Shared;

    fn deref(&self) -> &Shared {
        &self.0
    }
}

impl FromRef<AppState> for LeptosOptions {
    fn from_ref(state: &AppState) -> Self {
        state.leptos.clone()
    }
}
