//! What is known of the picture: the file as it came in, and what was decided of it, by whom and when.

use leptos::{prelude::*, task::spawn_local};

use crate::{
    actions,
    components::{clock, icon::Icon, icon::of, keyboard::Lens, tile::word_of},
    model::{Asset, AssetId, HistoryEntry, Kind, Refusal},
    review::desk::{Desk, Item},
    upload::words,
};

#[component]
pub(super) fn Info(desk: Desk, lens: Lens, current: Memo<Option<Item>>) -> impl IntoView {
    let history = RwSignal::new(None::<(AssetId, Result<Vec<HistoryEntry>, Refusal>)>);
    // Asked for when the panel opens, when the picture changes and when a decision of it has been confirmed.
    Effect::new(move |_| {
        let Some(item) = current.get().filter(|_| lens.info.get()) else { return };
        let saved = item.shown.with(|shown| shown.saved);
        let id = item.id();
        if item.asset.kind == Kind::Candidate && saved {
            spawn_local(async move {
                let answer = actions::history(id).await;
                let asked_still = desk.cursor.try_get_untracked().flatten() == Some(id);
                if asked_still {
                    let _closed = history.try_set(Some((id, answer)));
                }
            });
        }
    });
    let of_current = move || {
        let id = current.with(|item| item.as_ref().map(Item::id))?;
        history.get().filter(|(of, _)| *of == id).map(|(_, history)| history)
    };
    view! {
        <Show when=move || lens.info.get()>
            <aside class="info" aria-label="Details">
                {move || current.get().map(|item| facts(&item.asset))}
                {move || {
                    of_current()
                        .map(|history| match history {
                            Ok(entries) => entries_view(entries).into_any(),
                            Err(refusal) => view! { <p class="muted">{refusal.to_string()}</p> }.into_any(),
                        })
                }}
            </aside>
        </Show>
    }
}

fn facts(asset: &Asset) -> impl IntoView + use<> {
    let lines = [
        ("Name", asset.original_name.clone()),
        ("Subject", asset.subject.to_string()),
        ("Size", [&asset.width.to_string(), " × ", &asset.height.to_string()].concat()),
        ("File", [&words::size(asset.bytes), ", ", &asset.mime].concat()),
        ("SHA-256", asset.sha256.chars().take(12).chain(['…']).collect()),
    ];
    let sha256 = asset.sha256.clone();
    view! {
        <h3>"Details"</h3>
        <dl class="facts" title=sha256>
            {lines
                .map(|(name, value)| {
                    view! {
                        <dt>{name}</dt>
                        <dd>{value}</dd>
                    }
                })
                .into_iter()
                .collect_view()}
        </dl>
    }
}

fn entries_view(entries: Vec<HistoryEntry>) -> impl IntoView {
    let none = entries.is_empty().then(|| view! { <p class="muted">"Nothing decided yet."</p> });
    // Newest first: what stands now is what one looks for.
    let lines = entries
        .into_iter()
        .rev()
        .map(|entry| {
            view! {
                <li data-decision=entry.after.as_str()>
                    <Icon name=of(entry.after) />
                    <span>
                        <strong>{entry.by}</strong>
                        " · "
                        {word_of(entry.after)}
                        <time datetime=entry.at.clone() title=clock::full(&entry.at)>
                            {clock::when(&entry.at)}
                        </time>
                    </span>
                </li>
            }
        })
        .collect_view();
    view! {
        <h3>"History"</h3>
        {none}
        <ol class="history">{lines}</ol>
    }
}
