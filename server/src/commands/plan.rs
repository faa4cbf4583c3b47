//! Which files the server may open, so that a connection never takes the last one from the database.

use crate::{
    admission::{Needs, Plan, PlanError, raise_limit},
    config::Config,
    store::Store,
};

/// Connections that are wanted where the system allows them.
const CONNECTIONS: usize = 4096;
/// Standard streams, the runtime's own, signals, the listener, and the moment between accepting and refusing.
const RUNTIME: usize = 16;
/// An original that is read and a rendition that is written, or one that is sent.
const FILES_OF_A_SLOT: usize = 2;
/// Files that uploads write and inspect at once, with a margin.
const UPLOADS: usize = 16;

/// Raises the limit of open files as far as is needed, and gives connections what is left.
pub(super) fn descriptors(config: &Config) -> Result<Plan, PlanError> {
    let authority = config.authority.as_ref().map_or(0, |authority| authority.connections);
    let needs = Needs::default()
        .with("standard streams, runtime and listener", RUNTIME)
        .with("database (each connection: database, log, shared memory)", Store::DESCRIPTORS as usize)
        .with("media slots", config.media.concurrency * FILES_OF_A_SLOT)
        .with("uploads", UPLOADS)
        .with("connections to the authority", authority);
    let limit = raise_limit(needs.goal(CONNECTIONS));
    needs.plan(limit, CONNECTIONS)
}
