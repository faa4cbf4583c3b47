//! A picture that tries again: after half a second, after one more, and then when a person asks for it.
//!
//! It fetches one address and does nothing else. Before hydration it is a plain image; what happened to it by then
//! counts. Its timer lives in an effect and ends with the component, and with the source.
//!
//! A lazy picture waits for its turn once the page is awake: few load at once, so that what a person does never waits for
//! pictures, and those nearest to the screen come first. What scrolls far away on its way is given up, and asked for again
//! when it comes back.

use gloo_timers::callback::Timeout;
use js_sys::Function;
use leptos::{html, prelude::*};
use wasm_bindgen::{JsCast as _, closure::Closure};

use crate::{
    components::{
        icon::Icon,
        nearness::{Nearness, enter, leave},
    },
    review::retry::Attempts,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// On its way, or off screen and not asked for yet.
    Loading,
    /// Near the screen, and waiting for its turn.
    Queued,
    /// Failed; the next request follows after so many milliseconds.
    Waiting(u32),
    /// On its way once more: the broken one before it is not shown meanwhile.
    Again,
    /// Scrolled far away before it was there: not asked for until it comes back.
    Away,
    Loaded,
    /// Failed three times.
    Unavailable,
}

impl Stage {
    const fn as_str(self) -> &'static str {
        match self {
            Self::Loading | Self::Queued => "loading",
            Self::Waiting(_) => "waiting",
            Self::Again => "again",
            Self::Away => "away",
            Self::Loaded => "loaded",
            Self::Unavailable => "unavailable",
        }
    }
}

/// Where a lazy picture is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reach {
    /// Nobody has looked yet.
    Unknown,
    Near,
    Far,
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
    /// A colour in its shape until it is there, as `#rrggbb`.
    #[prop(default = None)]
    placeholder: Option<String>,
) -> impl IntoView {
    let image = NodeRef::<html::Img>::new();
    let attempts = RwSignal::new(Attempts::default());
    let stage = RwSignal::new(Stage::Loading);
    let reach = StoredValue::new(Reach::Unknown);
    let turn = StoredValue::new_local(None::<Closure<dyn FnMut()>>);
    let away = Memo::new(move |_| matches!(stage.get(), Stage::Away | Stage::Queued));
    let address =
        move || (!away.get()).then(|| source.with(|source| attempts.with(|attempts| attempts.address(source))));

    let has_turn = StoredValue::new(false);
    let over = move || {
        has_turn.set_value(false);
        if let Some(image) = image.get_untracked().filter(|_| lazy) {
            leave(&image);
        }
    };
    let failed = move || {
        // One failure is told twice when hydration falls between it and its event.
        if !matches!(stage.get_untracked(), Stage::Loading | Stage::Again) {
            return;
        }
        over();
        let wait = attempts.try_update(Attempts::fail).flatten();
        stage.set(wait.map_or(Stage::Unavailable, Stage::Waiting));
    };
    let loaded = move || {
        // What was given up in the same moment is asked for again.
        if !matches!(stage.get_untracked(), Stage::Away | Stage::Queued) {
            over();
            stage.set(Stage::Loaded);
        }
    };
    let begin = move || {
        let first = attempts.with_untracked(Attempts::is_first);
        stage.set(if first { Stage::Loading } else { Stage::Again });
    };
    let queue = move |begun: bool| {
        // Out of its place first: it may be called at once.
        let call = turn.with_value(|turn| turn.as_ref().map(|turn| turn.as_ref().clone().unchecked_into::<Function>()));
        if let (Some(image), Some(call)) = (image.get_untracked(), call) {
            enter(&image, &call, begun);
        }
    };
    // Asks, now, or when it is its turn, or when it is near again.
    let ask = move || match reach.get_value() {
        Reach::Far => stage.set(Stage::Away),
        Reach::Near => {
            stage.set(Stage::Queued);
            queue(false);
        }
        Reach::Unknown => begin(),
    };
    let start_over = move |_| {
        attempts.update(Attempts::start_over);
        ask();
    };
    // What has come already is kept, even where its event is still under way.
    let is_on_its_way = move || {
        matches!(stage.get_untracked(), Stage::Loading | Stage::Again)
            && !image.get_untracked().is_some_and(|image| image.complete())
    };
    let moved = move |near: bool| {
        let before = reach.get_value();
        reach.set_value(if near { Reach::Near } else { Reach::Far });
        match (before, near) {
            (Reach::Unknown, true) if is_on_its_way() => {
                // It keeps what the browser has begun, where its turn comes at once.
                queue(true);
                if !has_turn.get_value() {
                    stage.set(Stage::Queued);
                }
            }
            (_, true) if stage.get_untracked() == Stage::Away => ask(),
            (_, false) if is_on_its_way() || stage.get_untracked() == Stage::Queued => {
                over();
                stage.set(Stage::Away);
            }
            _ => {}
        }
    };

    // The effect's value is the timer: the next run and the end of the component drop it, and with it the wait.
    Effect::new(move |_: Option<Option<Timeout>>| {
        source.track();
        let Stage::Waiting(wait) = stage.get() else { return None };
        Some(Timeout::new(wait, move || {
            attempts.update(Attempts::again);
            ask();
        }))
    });
    Effect::new(move |_: Option<Option<Nearness>>| {
        let image = image.get().filter(|_| lazy)?;
        turn.set_value(Some(Closure::new(move || {
            has_turn.set_value(true);
            if stage.get_untracked() == Stage::Queued {
                begin();
            }
        })));
        Nearness::watch(&image, moved)
    });
    Effect::new(move |before: Option<String>| {
        let now = source.get();
        match before {
            Some(before) if before != now => {
                attempts.set(Attempts::default());
                ask();
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
    // A picture that leaves the page on its way would hold up those that come into it.
    on_cleanup(move || {
        let Some(image) = image.try_get_untracked().flatten() else { return };
        if lazy {
            leave(&image);
        }
        if !image.complete() {
            let _always_there = image.remove_attribute("src");
        }
    });

    let (shape_width, shape_height) = (width.get_untracked(), height.get_untracked());
    view! {
        <div class="picture" data-stage=move || stage.get().as_str()>
            {placeholder.map(|colour| view! { <Shape colour width=shape_width height=shape_height /> })}
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
                on:load=move |_| loaded()
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

/// The picture's shape in one colour. A drawing, since the page's policy lets no element bring a style of its own.
#[component]
fn Shape(colour: String, width: u32, height: u32) -> impl IntoView {
    let (width, height) = (width.to_string(), height.to_string());
    let view_box = ["0 0 ", &width, " ", &height].concat();
    view! {
        <svg class="placeholder" viewBox=view_box aria-hidden="true">
            <rect width=width height=height fill=colour></rect>
        </svg>
    }
}
