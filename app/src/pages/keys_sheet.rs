//! The keys, as the registry has them. Rendered here once: as a view of the island it would weigh more than it does.

use leptos::prelude::*;

use crate::{
    components::dom::KEYS,
    keys::{GROUPS, Line, caps},
};

#[component]
pub(super) fn KeysSheet() -> impl IntoView {
    let groups = GROUPS
        .iter()
        .map(|(title, lines)| {
            view! {
                <section>
                    <h3>{*title}</h3>
                    <dl>{lines.iter().map(line).collect_view()}</dl>
                </section>
            }
        })
        .collect_view();
    view! {
        // A click beside it closes it where browsers know how; Escape and the button do everywhere.
        <dialog class="keys" id=KEYS aria-labelledby="keys-title" closedby="any">
            <div class="sheet">
                <header>
                    <h2 id="keys-title">"Keys"</h2>
                    <form method="dialog">
                        <button class="quiet">"Close"</button>
                    </form>
                </header>
                <div class="key-groups">{groups}</div>
            </div>
        </dialog>
    }
}

fn line(line: &'static Line) -> impl IntoView {
    let caps = caps(line.commands).into_iter().map(|cap| view! { <kbd>{cap}</kbd> }).collect_view();
    view! {
        <dt>{caps}</dt>
        <dd>{line.says}</dd>
    }
}
