//! The review as its users live it, on both engines.

mod access;
mod deciding;
mod fixture;
mod importing;
mod listing;
