//! A picture that tries again: after half a second, after one more, and then when a person asks for it.
//!
//! It fetches one address and does nothing else. Before hydration it is a plain image; what happened to it by then
//! counts. Its timer lives in an effect and ends with the component, and with the source.

use gloo_timers::callback::Timeout;
use leptos::{html, prelude::*};

use crate::{components::icon::Icon, review::retry::Attempts};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// On its way, or off screen and not asked for yet.
    Loading,
    /// Failed; the next request follows after so many milliseconds.
    Waiting(u32),
    /// On its way once more: the broken one before it is not shown meanwhile.
    Again,
    Loaded,
    /// Failed three times.
    Unavailable,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Loading => "loading",
            Self::Waiting(_) => "waiting",
            Self::Again => "again",
            Self::Loaded => "loaded",
            Self::Unavailable => "unavailable",
        }
    }
}

/// `width` and `height` are the picture's own, so that its box has the right shape before it is there.
#[component]
pub(crate) fn RetryImage(
    #[prop(into)] source: Signal<String>,
    #[prop(into)] alt: Signal<String>,
    #[prop(into)] width: Signal<u32>,
    #[prop(into)] height: Signal<u32>,
    /// Waits until it is near the screen.
    #[prop(optional)]
    lazy: bool,
) -> impl IntoView {
    let image = NodeRef::<html::Img>::new();
    let attempts = RwSignal::new(Attempts::default());
    let stage = RwSignal::new(Stage::Loading);
    let address = move || source.with(|source| attempts.with(|attempts| attempts.address(source)));

    let failed = move || {
        // One failure is told twice when hydration falls between it and its event.
        if !matches!(stage.get_untracked(), Stage::Loading | Stage::Again) {
            return;
        }
        let wait = attempts.try_update(Attempts::fail).flatten();
        stage.set(wait.map_or(Stage::Unavailable, Stage::Waiting));
    };
    let start_over = move |_| {
        attempts.update(Attempts::start_over);
        stage.set(Stage::Again);
    };

    // The effect's value is the timer: the next run and the end of the component drop it, and with it the wait.
    Effect::new(move |_: Option<Option<Timeout>>| {
        source.track();
        let Stage::Waiting(wait) = stage.get() else { return None };
        Some(Timeout::new(wait, move || {
            attempts.update(Attempts::again);
            stage.set(Stage::Again);
        }))
    });
    Effect::new(move |before: Option<String>| {
        let now = source.get();
        match before {
            Some(before) if before != now => {
                attempts.set(Attempts::default());
                stage.set(Stage::Loading);
            }
            Some(_) => {}
            None => match image.get_untracked().map(|image| (image.complete(), image.natural_width())) {
                Some((true, 0)) => failed(),
                Some((true, _)) => stage.set(Stage::Loaded),
                _ => {}
            },
        }
        now
    });

    view! {
        <div class="picture" data-stage=move || stage.get().as_str()>
            <img
                // Before `src`: some browsers begin to fetch as soon as they have that.
                loading=lazy.then_some("lazy")
                // A browser has six connections, and a decision must not wait for those tiles that it takes to be urgent
                // because they are on screen.
                fetchpriority=lazy.then_some("low")
                node_ref=image
                src=address
                alt=alt
                width=width
                height=height
                decoding="async"
                draggable="false"
                on:load=move |_| stage.set(Stage::Loaded)
                on:error=move |_| failed()
            />
            {move || {
                (stage.get() == Stage::Unavailable)
                    .then(|| {
                        view! {
                            <div class="unavailable">
                                <Icon name="#i-broken" />
                                <span>"preview unavailable"</span>
                                <button type="button" class="again" tabindex="-1" on:click=start_over>
                                    "Retry"
                                </button>
                            </div>
                        }
                    })
            }}
        </div>
    }
}
