//! One batch at the desk: the server renders the pictures, the island wakes them.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::{use_params_map, use_query_map};

use crate::{
    actions::held_desk,
    components::review_desk::ReviewDesk,
    model::{AssetQuery, BatchId, BatchStatus, Refusal},
    pages::{frame::Frame, keys_sheet::KeysSheet, load::page, uploader::Uploader},
    review::filter::Filter,
    shell::{UploadFiles, Wake},
    site::UploadLimit,
};

#[component]
pub(crate) fn Review() -> impl IntoView {
    let id = use_params_map().with_untracked(|params| params.get("id"));
    let id: Option<BatchId> = id.and_then(|id| id.parse().ok());
    let filter = use_query_map().with_untracked(|query| {
        let word = |name| query.get_str(name);
        Filter::from_words(word("decision"), word("subject"), word("kind"))
    });
    page(move |studio, caller| {
        let filter = filter.clone();
        async move {
            let account = studio.account(&caller).await?;
            let id = id.ok_or_else(|| Refusal::NotFound { what: "batch".to_owned() })?;
            let batch = studio.batch(&caller, id).await?;
            let may_decide = studio.may_decide(&caller, id).await?;
            let held = held_desk()?.0.held_in(&caller, id).await?;
            let first = studio.assets(&caller, id, &AssetQuery::default()).await?;
            let importing = match batch.status {
                BatchStatus::Open => studio.importing(&caller, id).await?,
                BatchStatus::Closed => None,
            };
            let limit = use_context::<UploadLimit>().filter(|_| importing.is_some()).map(|limit| limit.0);
            let uploader = importing.zip(limit).map(|(importing, limit)| {
                let (batch, empty) = (batch.title.clone(), first.assets.is_empty());
                view! { <Uploader importing limit batch empty /> }
            });
            Ok(view! {
                <Title text=batch.title.clone() />
                <Frame account>
                    {(held > 0).then(|| view! { <HeldBack held /> })}
                    <ReviewDesk batch may_decide first filter limit>
                        {uploader}
                        <KeysSheet />
                    </ReviewDesk>
                </Frame>
                {limit.map(|_| view! { <UploadFiles /> })}
                <Wake />
            })
        }
    })
}

/// For those who may import here: not all that they sent is to be seen yet.
#[component]
fn HeldBack(held: u32) -> impl IntoView {
    let files = if held == 1 { "1 file is".to_owned() } else { format!("{held} files are") };
    view! {
        <p class="held-back">
            {files} " held back while " {if held == 1 { "it is" } else { "they are" }} " checked. "
            <a href="/quarantine">"See which"</a>
        </p>
    }
}
