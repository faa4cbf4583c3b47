//! What is on screen, as tabs and choices. Every choice is a link, so that it works before the island is awake and can
//! be kept; awake, it changes the list in place and the address with it.

use leptos::prelude::*;
use web_sys::MouseEvent;

use crate::{
    components::{
        icon::{Icon, of},
        tile::word_of,
    },
    model::{BatchId, Decision, Kind, Slug},
    review::{desk::Desk, filter::Filter},
};

const TABS: [Option<Decision>; 4] =
    [None, Some(Decision::Undecided), Some(Decision::Approved), Some(Decision::Rejected)];

fn address(batch: BatchId, filter: &Filter) -> String {
    ["/batches/", &batch.to_string(), &filter.query()].concat()
}

/// Shows what `filter` admits and lets the address say so, without a step in the history.
fn choose(desk: Desk, filter: Filter) {
    let batch = desk.batch.with_value(|batch| batch.id);
    let address = address(batch, &filter);
    if let Ok(history) = window().history() {
        let _refused = history.replace_state_with_url(&wasm_bindgen::JsValue::NULL, "", Some(&address));
    }
    desk.show(filter);
}

/// A plain click changes the list in place; with a modifier the link is a link.
fn in_place(desk: Desk, event: &MouseEvent, filter: Filter) {
    if event.ctrl_key() || event.meta_key() || event.shift_key() || event.button() != 0 {
        return;
    }
    event.prevent_default();
    choose(desk, filter);
}

#[component]
fn Choice(
    desk: Desk,
    /// The filter that this choice leads to from the present one.
    to: fn(&Filter, Option<Decision>) -> Filter,
    decision: Option<Decision>,
    name: &'static str,
    #[prop(optional)] icon: Option<&'static str>,
    #[prop(optional)] count: Option<Signal<u32>>,
) -> impl IntoView {
    let batch = desk.batch.with_value(|batch| batch.id);
    let target = move || desk.filter.with(|filter| to(filter, decision));
    let current = move || desk.filter.with(|filter| to(filter, decision) == *filter);
    view! {
        <a
            class="choice"
            data-choice=name
            href=move || address(batch, &target())
            aria-current=move || current().then_some("true")
            on:click=move |event: MouseEvent| in_place(desk, &event, untrack(target))
        >
            {icon.map(|icon| view! { <Icon name=icon /> })}
            <span class="choice-name">{name}</span>
            {count.map(|count| view! { <span class="count">{move || count.get()}</span> })}
        </a>
    }
}

#[component]
pub(crate) fn Filters(desk: Desk) -> impl IntoView {
    let tally = Memo::new(move |_| desk.tally());
    let count = move |decision: Option<Decision>| {
        Signal::derive(move || tally.with(|tally| decision.map_or(tally.total, |decision| tally.of(decision))))
    };
    let tabs = move || {
        TABS.map(|decision| {
            let name = decision.map_or("All", word_of);
            let count = count(decision);
            match decision.map(of) {
                Some(icon) => view! { <Choice desk to=Filter::with_decision decision name icon count /> }.into_any(),
                None => view! { <Choice desk to=Filter::with_decision decision name count /> }.into_any(),
            }
        })
    };
    view! {
        <nav class="filters" aria-label="Filter">
            <div class="choices" role="group" aria-label="Decision">
                {tabs()}
            </div>
            <Show when=move || desk.has_pipeline.get()>
                <div class="choices" role="group" aria-label="Kind">
                    <Choice desk to=|filter, _| filter.with_kind(Kind::Pipeline) decision=None name="Pipeline" />
                </div>
            </Show>
            <Subjects desk />
        </nav>
    }
}

#[component]
fn Subjects(desk: Desk) -> impl IntoView {
    let chosen = move |event| {
        let subject: Option<Slug> = event_target_value(&event).parse().ok();
        choose(desk, desk.filter.with_untracked(|filter| filter.with_subject(subject)));
    };
    let is = move |subject: &Slug| desk.filter.with(|filter| filter.subject.as_ref() == Some(subject));
    view! {
        <Show when=move || desk.subjects.with(|subjects| subjects.len() > 1)>
            <label class="subject">
                <span class="sr-only">"Subject"</span>
                <select on:change=chosen>
                    <option value="" selected=move || desk.filter.with(|filter| filter.subject.is_none())>
                        "All subjects"
                    </option>
                    <For each=move || desk.subjects.get() key=|subject| subject.to_string() let:subject>
                        <option value=subject.to_string() selected=is(&subject)>
                            {subject.to_string()}
                        </option>
                    </For>
                </select>
            </label>
        </Show>
    }
}
