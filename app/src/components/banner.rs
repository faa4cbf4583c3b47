//! What the server refused, and what can be done about it. It stays until it is closed or has become untrue.

use leptos::prelude::*;

use crate::{
    components::icon::Icon,
    review::{desk::Desk, notice::Offer},
};

#[component]
pub(crate) fn Banner(desk: Desk) -> impl IntoView {
    let sign_in = move || {
        let batch = desk.batch.with_value(|batch| batch.id);
        ["/sign-in?next=/batches/", &batch.to_string()].concat()
    };
    let again = move || view! { <button type="button" on:click=move |_| desk.try_again()>"Try again"</button> };
    move || {
        desk.notice.get().map(|notice| {
            let offer = notice.offer.map(|offer| match offer {
                Offer::TryAgain => again().into_any(),
                // In a tab of its own: leaving this one would lose what waits.
                Offer::SignIn => view! {
                    <a class="button" href=sign_in() target="_blank">"Sign in"</a>
                    {again()}
                }
                .into_any(),
            });
            view! {
                <div class="banner" role="alert">
                    <p>{notice.text}</p>
                    {offer}
                    <button
                        type="button"
                        class="close"
                        aria-label="Close this notice"
                        on:click=move |_| desk.notice.set(None)
                    >
                        <Icon name="#i-cross" />
                    </button>
                </div>
            }
        })
    }
}
