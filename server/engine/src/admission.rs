//! Admission: what is scarce is counted here, and nothing is counted twice.
//!
//! Three accounts with three lifetimes, never mixed:
//!
//! * a **slot** ([`Slots`]) lasts from the moment that a media request is let in until the last frame of its body was
//!   handed over, or the body is dropped;
//! * **bytes** ([`ByteBudget`]) last as long as the buffers that they stand for;
//! * a **connection** lasts as long as its socket ([`serve`]), and there are never more than the descriptor plan leaves
//!   ([`Plan`]).
//!
//! Each is an RAII value that moves with what it pays for; no counter is decremented by hand. Whoever waits, waits in
//! order and not for ever, and is told when to come again.
//!
//! # The life of a request
//!
//! The socket is accepted under the connection limit. [`MediaAdmissionLayer`], the outermost layer, asks a classifier for
//! a [`Ticket`]. Without one the request passes straight through. With one it waits for a slot, then the inner service is
//! called, then its response body carries the slot away. Who goes first is told in `queue`.
//!
//! This room knows nothing of pictures, sessions or addresses. It must never: the classifier and the refusal's answer
//! come in as functions.

mod accept;
mod bytes;
mod connection;
mod descriptors;
mod held_body;
mod layer;
mod ledger;
mod pace;
mod queue;
mod resident;
mod slots;

pub use self::{
    accept::{ConnectionLimits, serve},
    bytes::{BudgetError, ByteBudget, ByteGuard},
    descriptors::{Needs, Plan, PlanError, raise_limit, used},
    layer::{Admitted, MediaAdmissionLayer},
    queue::{Class, Ticket},
    resident::{Resident, resident},
    slots::{Refusal, Slots, SlotsConfig},
};
