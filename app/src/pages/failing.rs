//! Pictures that cannot be shown, and why: for admins.
//!
//! Plain forms and links: all of it works without scripts.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    components::icon::Icon,
    failing::{FailingOriginal, FailingOriginals, RefusedFromFolder},
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
        let refused = originals.refused(&caller).await?;
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
                    {(!refused.is_empty())
                        .then(|| {
                            let count = refused.len();
                            let files = refused.into_iter().map(|file| view! { <Refused file /> }).collect_view();
                            view! {
                                <section aria-labelledby="folders">
                                    <h2 id="folders">"Not taken in from watched folders " <span class="count">{count}</span></h2>
                                    <p class="muted">"Each is looked at again as soon as it changes."</p>
                                    <ul class="files">{files}</ul>
                                </section>
                            }
                        })}
                </div>
            </Frame>
        })
    })
}

#[component]
fn Refused(file: RefusedFromFolder) -> impl IntoView {
    let RefusedFromFolder { place, path, reason, at } = file;
    view! {
        <li class="file">
            <div class="file-text">
                <h3 class="file-name">{path}</h3>
                <p class="file-reason">{reason}</p>
                <p class="muted">"on its way to " {place} ", " <Moment at /></p>
            </div>
        </li>
    }
}

/// RFC 3339 as people read it.
#[component]
fn Moment(at: String) -> impl IntoView {
    let shown = at.replace('T', " ").replace('Z', " UTC");
    view! { <time datetime=at>{shown}</time> }
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
                    {recipe} ", since " <Moment at=since />
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
