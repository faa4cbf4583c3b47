//! How large the tiles are: three sizes, remembered by the browser.

use leptos::prelude::*;
use web_sys::Storage;

use crate::review::size::Size;

const KEY: &str = "avatars-size";

fn storage() -> Option<Storage> {
    window().local_storage().ok().flatten()
}

#[component]
pub(crate) fn SizeChoice(size: RwSignal<Size>) -> impl IntoView {
    Effect::new(move |_| {
        let kept = storage().and_then(|storage| storage.get_item(KEY).ok().flatten());
        if let Some(kept) = kept.and_then(|word| Size::from_word(&word)) {
            size.set(kept);
        }
    });
    let choose = move |to: Size| {
        size.set(to);
        if let Some(storage) = storage() {
            let _full = storage.set_item(KEY, to.as_str());
        }
    };
    let option = move |to: Size, name: &'static str, letter: &'static str| {
        view! {
            <button
                type="button"
                class="choice"
                aria-label=name
                aria-pressed=move || if size.get() == to { "true" } else { "false" }
                on:click=move |_| choose(to)
            >
                {letter}
            </button>
        }
    };
    view! {
        <div class="choices size" role="group" aria-label="Tile size">
            {option(Size::Small, "Small tiles", "S")}
            {option(Size::Medium, "Medium tiles", "M")}
            {option(Size::Large, "Large tiles", "L")}
        </div>
    }
}
