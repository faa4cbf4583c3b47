//! What admins do about pictures that fail: plain forms, without scripts.

use std::sync::Arc;

use leptos::prelude::use_context;

use super::{answer, context, form::go};
use crate::{failing::FailingOriginals, model::Refusal};

pub(super) async fn try_again(sha256: &str) -> Result<(), Refusal> {
    let (_, caller) = context()?;
    let failing: Arc<dyn FailingOriginals> =
        use_context().ok_or_else(|| Refusal::Internal { request_id: caller.request_id.clone() })?;
    match failing.try_again(&caller, sha256).await {
        // Forgotten by itself meanwhile: then there is nothing left to do.
        Ok(()) | Err(Refusal::NotFound { .. }) => {
            go("/failing");
            Ok(())
        }
        refused => answer(refused),
    }
}
