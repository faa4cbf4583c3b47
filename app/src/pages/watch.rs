//! What admins look after: pictures that cannot be shown, and why.

use std::sync::Arc;

use leptos::prelude::*;
use leptos_meta::Title;

use crate::{
    components::icon::Icon,
    failing::{FailingOriginal, Watch},
    model::Refusal,
    pages::{frame::Frame, load::page},
};

#[component]
pub(crate) fn KeepingWatch() -> impl IntoView {
    page(|studio, caller| async move {
        let account = studio.account(&caller).await?;
        let watch: Arc<dyn Watch> =
            use_context().ok_or_else(|| Refusal::Internal { request_id: caller.request_id.clone() })?;
        let failing = watch.failing(&caller).await?;
        Ok(view! {
            <Title text="Keeping watch" />
            <Frame account>
                <div class="watch">
                    <h1>"Keeping watch"</h1>
                    <section aria-labelledby="failing">
                        <h2 id="failing">"Pictures that cannot be shown"</h2>
                        {if failing.is_empty() {
                            view! { <p class="muted">"None: every picture that was asked for could be shown."</p> }
                                .into_any()
                        } else {
                            view! {
                                <p class="muted">
                                    "These could not be rendered, and are not tried again for ten minutes unless you say so. \
                                    The originals are as they came in."
                                </p>
                                <ul class="watch-list">
                                    {failing.into_iter().map(|failing| view! { <Failing failing /> }).collect_view()}
                                </ul>
                            }
                                .into_any()
                        }}
                    </section>
                </div>
            </Frame>
        })
    })
}

#[component]
fn Failing(failing: FailingOriginal) -> impl IntoView {
    let FailingOriginal { sha256, recipe, reason, since, pictures } = failing;
    let name = pictures.first().map_or_else(|| sha256.chars().take(12).collect(), |first| first.original_name.clone());
    let places = pictures
        .into_iter()
        .map(|picture| {
            view! {
                <li>
                    <a href=format!("/batches/{}", picture.batch)>{picture.batch_title}</a>
                    <span class="muted">" · " {picture.subject.to_string()} " · " {picture.original_name}</span>
                </li>
            }
        })
        .collect_view();
    view! {
        <li class="watch-line">
            <Icon name="#i-broken" />
            <div class="watch-what">
                <h3>{name}</h3>
                <p>{reason}</p>
                <ul class="watch-places">{places}</ul>
                <p class="muted">
                    {recipe} ", since " <time datetime=since.clone()>{since.replace('T', " ").replace('Z', " UTC")}</time>
                </p>
            </div>
            <form method="post" action="/actions/try-again">
                <input type="hidden" name="sha256" value=sha256 />
                <button type="submit">
                    <Icon name="#i-again" />
                    "Try again"
                </button>
            </form>
        </li>
    }
}
