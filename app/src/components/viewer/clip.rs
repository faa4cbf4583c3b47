//! A video in the large view: its poster until somebody plays it, and then the file, as much of it as is watched.

use leptos::{html, prelude::*};

use crate::model::AssetId;

#[component]
pub(super) fn Clip(id: AssetId, label: String, current: Memo<bool>) -> impl IntoView {
    let video = NodeRef::<html::Video>::new();
    let media = |what: &str| ["/api/assets/", &id.to_string(), what].concat();
    let pause = move || {
        if let Some(video) = video.try_get_untracked().flatten() {
            let _was_not_playing = video.pause();
        }
    };
    Effect::new(move |_| {
        if !current.get() {
            pause();
        }
    });
    // Without a source and told so, the browser lets go of the connection.
    on_cleanup(move || {
        pause();
        if let Some(video) = video.try_get_untracked().flatten() {
            let _always_there = video.remove_attribute("src");
            video.load();
        }
    });
    view! {
        <video
            class="clip"
            node_ref=video
            controls
            playsinline
            preload="none"
            src=media("/file")
            poster=media("/poster")
            aria-label=label
        ></video>
    }
}
