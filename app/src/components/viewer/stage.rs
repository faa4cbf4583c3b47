//! Where the picture stands: fitted as its preview, or as the original in its own size, dragged about.
//!
//! The picture that comes next is fetched beside the present one, never more than that.

use gloo_timers::callback::Timeout;
use leptos::{ev, html, prelude::*};
use wasm_bindgen::JsCast;

use crate::{
    components::{dom, keyboard::Lens, retry_image::RetryImage, tile::alt_of, viewer::clip::Clip},
    review::{
        course::Step,
        desk::{Desk, Item, ONE_BY_ONE},
    },
};

/// A finger that travels further has swiped, a pointer that travels less has clicked; in CSS pixels.
const SWIPE: f64 = 48.0;
const CLICK: f64 = 4.0;
/// Two taps within so many milliseconds are one double tap.
const DOUBLE: f64 = 300.0;
/// How long a picture is looked at before the next one is fetched: who leafs through fast needs none of them.
const SETTLE: u32 = 150;

/// A pointer that is down.
#[derive(Clone, Copy)]
struct Drag {
    x: f64,
    y: f64,
    left: i32,
    top: i32,
}

#[component]
pub(super) fn Stage(desk: Desk, lens: Lens, current: Memo<Option<Item>>) -> impl IntoView {
    let frame = NodeRef::<html::Div>::new();
    let drag = StoredValue::new(None::<Drag>);
    let last_tap = StoredValue::new(0.0_f64);
    // Where in the picture the zoom was asked for, as parts of its width and height.
    let focus = StoredValue::new((0.5_f64, 0.5_f64));

    let ahead = RwSignal::new(None::<Item>);
    Effect::new(move |before: Option<(usize, Option<Timeout>)>| {
        let now = place(desk).unwrap_or(0);
        let forward = before.is_none_or(|(before, _)| before <= now);
        let next = if forward { now.checked_add(1) } else { now.checked_sub(1) };
        let next = next.and_then(|next| desk.visible.with_untracked(|all| all.get(next).cloned()));
        (now, Some(Timeout::new(SETTLE, move || ahead.set(next))))
    });
    let slides = move || {
        let now = current.get();
        let ahead = ahead.get().filter(|ahead| Some(ahead) != now.as_ref());
        now.into_iter().chain(ahead).collect::<Vec<_>>()
    };

    // Each picture begins fitted.
    Effect::new(move |before: Option<Option<Item>>| {
        let now = current.get();
        if before.is_some_and(|before| before != now) {
            lens.zoomed.set(false);
        }
        now
    });
    Effect::new(move |_| {
        if !lens.zoomed.get() {
            focus.set_value((0.5, 0.5));
            return;
        }
        let _no_window = request_animation_frame(move || {
            let Some(frame) = frame.get_untracked() else { return };
            let (x, y) = focus.get_value();
            frame.set_scroll_left(middle(x, frame.scroll_width(), frame.client_width()));
            frame.set_scroll_top(middle(y, frame.scroll_height(), frame.client_height()));
        });
    });

    let down = move |event: ev::PointerEvent| {
        let Some(frame) = frame.get_untracked() else { return };
        let on_control = event.target().is_some_and(|target| dom::is_control(target.unchecked_ref()));
        if on_control {
            return;
        }
        let at = Drag {
            x: f64::from(event.client_x()),
            y: f64::from(event.client_y()),
            left: frame.scroll_left(),
            top: frame.scroll_top(),
        };
        drag.set_value((event.button() == 0 && event.is_primary()).then_some(at));
        if event.pointer_type() == "mouse" {
            let _gone = frame.set_pointer_capture(event.pointer_id());
        }
    };
    let moved = move |event: ev::PointerEvent| {
        // Fingers scroll by themselves.
        if event.pointer_type() != "mouse" || !lens.zoomed.get_untracked() {
            return;
        }
        let (Some(from), Some(frame)) = (drag.get_value(), frame.get_untracked()) else { return };
        frame.set_scroll_left(from.left - (f64::from(event.client_x()) - from.x) as i32);
        frame.set_scroll_top(from.top - (f64::from(event.client_y()) - from.y) as i32);
    };
    let toggle = move |event: &ev::PointerEvent| {
        if let Some(frame) = frame.get_untracked() {
            let area = frame.get_bounding_client_rect();
            let part = |at: i32, from: f64, size: f64| ((f64::from(at) - from) / size.max(1.0)).clamp(0.0, 1.0);
            focus.set_value((
                part(event.client_x(), area.left(), area.width()),
                part(event.client_y(), area.top(), area.height()),
            ));
        }
        lens.toggle_zoom(desk);
    };
    let up = move |event: ev::PointerEvent| {
        let Some(from) = drag.get_value() else { return };
        drag.set_value(None);
        let (x, y) = (f64::from(event.client_x()) - from.x, f64::from(event.client_y()) - from.y);
        let still = x.abs() < CLICK && y.abs() < CLICK;
        if event.pointer_type() == "mouse" {
            if still {
                toggle(&event);
            }
        } else if still {
            let now = event.time_stamp();
            if now - last_tap.get_value() < DOUBLE {
                toggle(&event);
            }
            last_tap.set_value(now);
        } else if !lens.zoomed.get_untracked() && x.abs() > SWIPE && x.abs() > y.abs() {
            desk.step(if x < 0.0 { Step::Right } else { Step::Left }, ONE_BY_ONE, false);
        }
    };

    let slide = move |item: Item| {
        let (id, video) = (item.id(), item.asset.is_video());
        let media = |what: &str| ["/api/assets/", &id.to_string(), what].concat();
        let (preview, original) = (media("/preview"), media("/file"));
        let (alt, width, height) = (alt_of(&item.asset), item.asset.width, item.asset.height);
        let original_alt = alt.clone();
        let is_current = move || current.with(|now| now.as_ref() == Some(&item));
        let is_current = Memo::new(move |_| is_current());
        let enlarged = move || is_current.get() && lens.zoomed.get();
        let picture = if video {
            view! { <Clip id label=alt current=is_current /> }.into_any()
        } else {
            view! { <RetryImage source=preview alt width height /> }.into_any()
        };
        view! {
            <div class="slide" data-current=move || is_current.get().then_some("") aria-hidden=move || (!is_current.get()).then_some("true")>
                {picture}
                {move || {
                    enlarged()
                        .then(|| {
                            view! {
                                <div class="original">
                                    <RetryImage
                                        source=original.clone()
                                        alt=original_alt.clone()
                                        width
                                        height
                                    />
                                </div>
                            }
                        })
                }}
            </div>
        }
    };
    view! {
        <div
            class="stage"
            node_ref=frame
            data-zoomed=move || lens.zoomed.get().then_some("")
            on:pointerdown=down
            on:pointermove=moved
            on:pointerup=up
            on:pointercancel=move |_| drag.set_value(None)
        >
            <For each=slides key=Item::id children=slide />
        </div>
    }
}

/// The place of the cursor on screen, followed.
fn place(desk: Desk) -> Option<usize> {
    let id = desk.cursor.get()?;
    desk.visible.with_untracked(|all| all.iter().position(|item| item.id() == id))
}

/// How far to scroll so that `part` of `whole` lies in the middle of `window`.
fn middle(part: f64, whole: i32, window: i32) -> i32 {
    (part * f64::from(whole) - f64::from(window) / 2.0) as i32
}
