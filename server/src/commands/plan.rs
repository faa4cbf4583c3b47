//! Which files the server may open, so that a connection never takes the last one from the database.

use std::ops::RangeInclusive;

use crate::{
    admission::{Needs, Plan, PlanError, raise_limit},
    config::Config,
    intake::{CONNECTIONS_OF_A_FETCH, FETCHES, keeper, watched},
    scanner::Scanner,
    store::Store,
    video,
};

/// Connections that are wanted where the system allows them.
const CONNECTIONS: usize = 4096;
/// Standard streams, the runtime's own, signals, the listener, and the moment between accepting and refusing.
const RUNTIME: usize = 16;
/// An original that is read and a rendition that is written, or one that is sent.
const FILES_OF_A_SLOT: usize = 2;
/// Files that may be on their way in at once: as many as are of use, and as few as are bearable.
const UPLOADS: RangeInclusive<usize> = 4..=256;
/// Uploads get this part of what the system allows, where it allows little.
const PART_OF_UPLOADS: usize = 32;
/// The temporary file, and the inspection that reads it.
const FILES_OF_AN_UPLOAD: usize = 2;

/// The plan, and what follows from it.
pub(super) struct Descriptors {
    pub(super) plan: Plan,
    /// Files that may be on their way in at once.
    pub(super) uploads: usize,
}

/// Raises the limit of open files as far as is needed, and gives connections what is left.
pub(super) fn descriptors(config: &Config) -> Result<Descriptors, PlanError> {
    let limit = raise_limit(needs(config, *UPLOADS.end()).goal(CONNECTIONS));
    let part = usize::try_from(limit).unwrap_or(usize::MAX) / PART_OF_UPLOADS;
    let uploads = part.clamp(*UPLOADS.start(), *UPLOADS.end());
    Ok(Descriptors { plan: needs(config, uploads).plan(limit, CONNECTIONS)?, uploads })
}

fn needs(config: &Config, uploads: usize) -> Needs {
    let authority = config.authority.as_ref().map_or(0, |authority| authority.connections);
    // A held file that is tried again is open twice more: as it is read, and as it is taken in.
    let scanner = config.clamd.as_ref().map_or(0, |_| Scanner::DESCRIPTORS + 2 * keeper::AT_ONCE);
    Needs::default()
        .with("standard streams, runtime and listener", RUNTIME)
        .with("database (each connection: database, log, shared memory)", Store::DESCRIPTORS as usize)
        .with("media slots", config.media.concurrency * FILES_OF_A_SLOT)
        .with("uploads", uploads * FILES_OF_AN_UPLOAD)
        .with("connections for fetching by address", FETCHES * CONNECTIONS_OF_A_FETCH)
        .with("watched folders", config.watch.len() * watched::DESCRIPTORS)
        .with("connections to the authority", authority)
        .with("scanner and quarantine", scanner)
        .with("processes that read videos", video::DESCRIPTORS)
}
