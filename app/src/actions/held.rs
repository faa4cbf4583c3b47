//! What people do with held files, by plain forms that work without scripts.

use std::sync::Arc;

use leptos::prelude::use_context;

use super::{
    answer, context,
    form::{go, is_form},
};
use crate::{
    held::HeldFiles,
    model::{HeldId, Refusal},
    pages::quarantine::{Done, address},
    studio::Caller,
};

pub(super) async fn retry(id: HeldId) -> Result<(), Refusal> {
    let (held, caller) = desk()?;
    let done = held.retry(&caller, id).await.map(|retried| Done::of(retried.status));
    back(done)
}

pub(super) async fn discard(id: HeldId) -> Result<(), Refusal> {
    let (held, caller) = desk()?;
    back(held.discard(&caller, id).await.map(|()| Done::Discarded))
}

/// The quarantine and the caller of this request.
pub(crate) fn desk() -> Result<(Arc<dyn HeldFiles>, Caller), Refusal> {
    let (_, caller) = context()?;
    use_context().map(|held| (held, caller)).ok_or_else(|| Refusal::Internal { request_id: "none".to_owned() })
}

/// Back to the page, with what was done. That somebody else was faster is no fault of the person's.
fn back(done: Result<Done, Refusal>) -> Result<(), Refusal> {
    let done = match done {
        Ok(done) => done,
        Err(Refusal::NotFound { .. }) => Done::Gone,
        Err(Refusal::Invalid { .. }) => Done::Off,
        Err(_) if is_form() => Done::Failed,
        Err(refusal) => return answer(Err(refusal)),
    };
    go(&address(done));
    Ok(())
}
