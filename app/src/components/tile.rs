//! One picture in the grid: its preview, where it stands, and what a mouse can do with it.
//!
//! It listens to nothing: the gallery hears for all tiles and knows them by `data-id` and `data-act`.

use leptos::prelude::*;

use crate::{
    components::{
        dom,
        icon::{Icon, of},
        retry_image::RetryImage,
    },
    model::{Asset, Decision, Kind},
    review::desk::{Desk, Item},
};

/// What a picture is called where it cannot be seen.
pub(crate) fn alt_of(asset: &Asset) -> String {
    let name = [asset.subject.as_str(), ", ", &asset.original_name].concat();
    if asset.is_video() { [&name, ", video"].concat() } else { name }
}

/// A length of time as players show it: minutes and seconds.
fn clock_face(milliseconds: u64) -> String {
    let seconds = milliseconds.saturating_add(500) / 1000;
    let (minutes, rest) = ((seconds / 60).to_string(), (seconds % 60).to_string());
    [minutes.as_str(), if rest.len() < 2 { ":0" } else { ":" }, &rest].concat()
}

pub(crate) const fn word_of(decision: Decision) -> &'static str {
    match decision {
        Decision::Undecided => "Undecided",
        Decision::Approved => "Approved",
        Decision::Rejected => "Rejected",
    }
}

#[component]
pub(crate) fn Tile(desk: Desk, item: Item) -> impl IntoView {
    let id = item.id();
    let asset = item.asset.clone();
    let shown = item.shown.clone();
    let decision = Signal::derive(move || item.decision());
    let unsaved = move || shown.with(|shown| !shown.saved).then_some("");
    let picked = move || desk.picked.with(|picked| picked.contains(&id));
    let candidate = asset.kind == Kind::Candidate;
    view! {
        <div
            role="gridcell"
            class="tile"
            id=dom::tile_id(id)
            data-id=id.to_string()
            data-decision=move || decision.get().as_str()
            data-unsaved=unsaved
            aria-selected=move || if picked() { "true" } else { "false" }
            tabindex=move || if desk.cursor.get() == Some(id) { "0" } else { "-1" }
        >
            <RetryImage
                source=["/api/assets/", &id.to_string(), "/thumbnail"].concat()
                alt=alt_of(&asset)
                width=asset.width
                height=asset.height
                lazy=true
                placeholder=asset.placeholder.clone()
            />
            {asset
                .is_video()
                .then(|| {
                    view! {
                        <span class="length" aria-hidden="true">
                            <Icon name="#i-play" />
                            {asset.duration_ms.map(clock_face)}
                        </span>
                    }
                })}
            <span class="check" data-act="select" aria-hidden="true">
                <Icon name="#i-check" />
            </span>
            {candidate
                .then(|| {
                    view! {
                        <span class="badge">
                            <Icon name=Signal::derive(move || of(decision.get())) />
                            <span class="sr-only">{move || word_of(decision.get())}</span>
                        </span>
                    }
                })}
            {(candidate && desk.may_decide)
                .then(|| {
                    view! {
                        <span class="quick" aria-hidden="true">
                            <span class="quick-act" data-act="approve" title="Approve (P)">
                                <Icon name="#i-check" />
                            </span>
                            <span class="quick-act" data-act="reject" title="Reject (X)">
                                <Icon name="#i-cross" />
                            </span>
                        </span>
                    }
                })}
            <span class="caption" aria-hidden="true">
                {asset.subject.to_string()}
            </span>
        </div>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_is_read_as_on_a_player() {
        assert_eq!(clock_face(0), "0:00");
        assert_eq!(clock_face(4_499), "0:04");
        assert_eq!(clock_face(59_600), "1:00");
        assert_eq!(clock_face(754_000), "12:34");
    }
}
