//! What was just done, with the way back. It goes by itself; undo stays in the action bar and on Z.

use gloo_timers::callback::Timeout;
use leptos::prelude::*;

use crate::review::desk::Desk;

/// How long it stays, in milliseconds.
const STAY: u32 = 8000;

#[component]
pub(crate) fn UndoToast(desk: Desk) -> impl IntoView {
    // As long as a hand is on it, it stays.
    let held = RwSignal::new(false);
    Effect::new(move |_: Option<Option<Timeout>>| {
        let shown = desk.toast.with(Option::is_some) && !held.get();
        shown.then(|| Timeout::new(STAY, move || desk.toast.set(None)))
    });
    move || {
        desk.toast.get().map(|toast| {
            view! {
                <div
                    class="toast"
                    on:pointerenter=move |_| held.set(true)
                    on:pointerleave=move |_| held.set(false)
                    on:focusin=move |_| held.set(true)
                    on:focusout=move |_| held.set(false)
                >
                    <span>{toast.text}</span>
                    {toast
                        .undo
                        .then(|| {
                            view! {
                                <button
                                    type="button"
                                    on:click=move |_| {
                                        held.set(false);
                                        desk.undo();
                                    }
                                >
                                    "Undo"
                                </button>
                            }
                        })}
                </div>
            }
        })
    }
}
