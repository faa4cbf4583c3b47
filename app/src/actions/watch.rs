//! What admins do on the page that they keep watch on: plain forms, without scripts.

use std::sync::Arc;

use leptos::prelude::use_context;

use super::{answer, context, form::go};
use crate::{failing::Watch, model::Refusal};

pub(super) async fn try_again(sha256: &str) -> Result<(), Refusal> {
    let (_, caller) = context()?;
    let watch: Arc<dyn Watch> =
        use_context().ok_or_else(|| Refusal::Internal { request_id: caller.request_id.clone() })?;
    match watch.try_again(&caller, sha256).await {
        // Forgotten by itself meanwhile: then there is nothing left to do.
        Ok(()) | Err(Refusal::NotFound { .. }) => {
            go("/watch");
            Ok(())
        }
        refused => answer(refused),
    }
}
