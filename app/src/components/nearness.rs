//! Tells when an element comes near the screen and when it has gone far from it again, and when it is its turn to load.
//! Browser only.

use js_sys::{Array, Function};
use wasm_bindgen::prelude::*;
use web_sys::{Element, IntersectionObserver, IntersectionObserverEntry, IntersectionObserverInit};

/// How far above and below the screen is near: a little farther than browsers look ahead themselves for what is lazy.
const REACH: &str = "1500px 0px";

/// A watch over one element; it ends when it is dropped.
pub(crate) struct Nearness {
    observer: IntersectionObserver,
    _told: Closure<dyn FnMut(Array)>,
}

impl Nearness {
    /// Calls `told` soon, and again with each change. Nothing where the browser cannot watch.
    pub(crate) fn watch(element: &Element, mut told: impl FnMut(bool) + 'static) -> Option<Self> {
        let told = Closure::<dyn FnMut(Array)>::new(move |entries: Array| {
            // Of several changes at once only the last one holds.
            let last = entries.get(entries.length().wrapping_sub(1));
            if let Ok(entry) = last.dyn_into::<IntersectionObserverEntry>() {
                told(entry.is_intersecting());
            }
        });
        let options = IntersectionObserverInit::new();
        options.set_root_margin(REACH);
        let callback: &JsValue = told.as_ref();
        let observer = IntersectionObserver::new_with_options(callback.unchecked_ref(), &options).ok()?;
        observer.observe(element);
        Some(Self { observer, _told: told })
    }
}

#[wasm_bindgen]
extern "C" {
    /// In `shell/lanes.js`: calls `turn` when few enough others load, once; the turn lasts until it is left. `begun`: the
    /// browser may have begun to load it before the page was awake.
    #[wasm_bindgen(js_namespace = lanes)]
    pub(crate) fn enter(image: &Element, turn: &Function, begun: bool);
    /// Gives up the turn, or the wait for it.
    #[wasm_bindgen(js_namespace = lanes)]
    pub(crate) fn leave(image: &Element);
}

impl Drop for Nearness {
    fn drop(&mut self) {
        self.observer.disconnect();
    }
}
