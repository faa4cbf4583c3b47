//! The keys, as the registry has them.

use leptos::{html, prelude::*};

use crate::{
    keys::{GROUPS, caps},
    review::desk::Desk,
};

#[component]
pub(crate) fn KeysOverlay(desk: Desk) -> impl IntoView {
    let dialog = NodeRef::<html::Dialog>::new();
    Effect::new(move |_| {
        let Some(dialog) = dialog.get() else { return };
        match (desk.keys_shown.get(), dialog.open()) {
            (true, false) => drop(dialog.show_modal()),
            (false, true) => dialog.close(),
            _ => {}
        }
    });
    let groups = move || {
        GROUPS
            .iter()
            .map(|(title, lines)| {
                let lines = lines
                    .iter()
                    .map(|line| {
                        let caps = caps(line.commands).into_iter().map(|cap| view! { <kbd>{cap}</kbd> }).collect_view();
                        view! {
                            <dt>{caps}</dt>
                            <dd>{line.says}</dd>
                        }
                    })
                    .collect_view();
                view! {
                    <section>
                        <h3>{*title}</h3>
                        <dl>{lines}</dl>
                    </section>
                }
            })
            .collect_view()
    };
    view! {
        <dialog
            class="keys"
            node_ref=dialog
            aria-labelledby="keys-title"
            on:close=move |_| desk.keys_shown.set(false)
            on:click=move |event| {
                // Beside the sheet is the dialog itself: a click there closes it.
                if event.target() == event.current_target() {
                    desk.keys_shown.set(false);
                }
            }
        >
            <div class="sheet">
                <header>
                    <h2 id="keys-title">"Keys"</h2>
                    <button type="button" class="quiet" on:click=move |_| desk.keys_shown.set(false)>
                        "Close"
                    </button>
                </header>
                <Show when=move || desk.keys_shown.get()>
                    <div class="key-groups">{groups()}</div>
                </Show>
            </div>
        </dialog>
    }
}
