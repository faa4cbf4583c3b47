//! What the studio tells those who listen.

use std::collections::{BTreeMap, HashMap};

use app::model::{BatchId, Change, Decided};
use serde::Serialize;
use uuid::Uuid;

use crate::{
    authority::Action,
    intake::{Fate, Settled},
    store::{Located, Place},
};

/// Something that happened.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Event {
    /// Assets of one subject in one batch were decided, and stand so now.
    Decided { batch: BatchId, place: Place, assets: Vec<Decided> },
    /// A file that was held back has met its fate.
    Settled(Settled),
    /// A piece of work has come so far.
    Job { place: Place, progress: Progress },
}

impl Event {
    /// Who is told: whoever may do this there. A picture that has come is for all who see the place; what was refused
    /// is for those who bring files in.
    pub(crate) fn audience(&self) -> (Action, &Place) {
        match self {
            Self::Decided { place, .. } => (Action::View, place),
            Self::Settled(Settled { place, fate: Fate::Added { .. }, .. }) => (Action::View, place),
            Self::Settled(Settled { place, .. }) | Self::Job { place, .. } => (Action::Manage, place),
        }
    }
}

/// How far a piece of work is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Progress {
    pub(crate) job: Uuid,
    pub(crate) batch: BatchId,
    pub(crate) done: usize,
    pub(crate) total: usize,
    /// Nothing more will be told of it; with less done than there was, it was broken off.
    pub(crate) ended: bool,
}

/// The events of a change: one for each subject in each batch, so that each can be shown or kept back as a whole.
pub(super) fn decided(change: &Change, located: &[Located]) -> impl Iterator<Item = Event> {
    let whereabouts: HashMap<_, _> = located.iter().map(|located| (located.id, located)).collect();
    let mut groups: BTreeMap<(BatchId, &Place), Vec<Decided>> = BTreeMap::new();
    for asset in &change.assets {
        if let Some(located) = whereabouts.get(&asset.id) {
            groups.entry((located.batch, &located.place)).or_default().push(asset.clone());
        }
    }
    let event =
        |((batch, place), assets): ((BatchId, &Place), _)| Event::Decided { batch, place: place.clone(), assets };
    groups.into_iter().map(event).collect::<Vec<_>>().into_iter()
}
