//! Pictures that cannot be shown, and why: for admins.
//!
//! Plain forms and links: all of it works without scripts.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    components::icon::Icon,
    failing::{FailingOriginal, FailingOriginals},
    model::Refusal,
    pages::{frame::Frame, load::page},
};

#[component]
pub(crate) fn Failing() -> impl IntoView {
    page(|studio, caller| async move {
        let account = studio.account(&caller).await?;
        let originals: Arc<dyn FailingOriginals> =
            use_context().ok_or_else(|| Refusal::Internal { request_id: caller.request_id.clone() })?;
        let failing = originals.failing(&caller).await?;
        Ok(view! {
            <Title text="Failing pictures" />
            <Frame account>
                <div class="desk">
                    <h1>"Failing pictures " <span class="count">{failing.len()}</span></h1>
                    {if failing.is_empty() {
                        view! { <p class="muted">"None: every picture that was asked for could be shown."</p> }.into_any()
                    } else {
                        let originals =
                            failing.into_iter().map(|original| view! { <Original original /> }).collect_view();
                        view! {
                            <p class="muted">
                                "These could not be rendered, and are not tried again for ten minutes unless you say so. \
                                The originals are as they came in."
                            </p>
                            <ul class="files">{originals}</ul>
                        }
                            .into_any()
                    }}
                </div>
            </Frame>
        })
    })
}

#[component]
fn Original(original: FailingOriginal) -> impl IntoView {
    let FailingOriginal { sha256, recipe, reason, since, pictures } = original;
    let name = pictures.first().map_or_else(|| sha256.chars().take(12).collect(), |first| first.original_name.clone());
    let again = format!("Try again: {name}");
    let places = pictures
        .into_iter()
        .map(|picture| {
            view! {
                <p class="muted">
                    <a href=format!("/batches/{}", picture.batch)>{picture.batch_title}</a>
                    " · "
                    {picture.subject.to_string()}
                    " · "
                    {picture.original_name}
                </p>
            }
        })
        .collect_view();
    view! {
        <li class="file">
            <div class="file-text">
                <h2 class="file-name">{name}</h2>
                <p class="file-reason">{reason}</p>
                {places}
                <p class="muted">
                    {recipe} ", since " <time datetime=since.clone()>{since.replace('T', " ").replace('Z', " UTC")}</time>
                </p>
            </div>
            <form class="file-acts" method="post" action="/actions/try-again">
                <input type="hidden" name="sha256" value=sha256 />
                <button type="submit" aria-label=again>
                    <Icon name="#i-again" />
                    "Try again"
                </button>
            </form>
        </li>
    }
}
