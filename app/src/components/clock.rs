//! Times as the person's own browser says them.

use js_sys::Date;
use wasm_bindgen::JsValue;

use crate::review::notice::ago;

/// How long ago `at` (RFC 3339) was, or its date where that is long. Browser only.
pub(crate) fn when(at: &str) -> String {
    let date = Date::new(&JsValue::from_str(at));
    ago((Date::now() - date.get_time()) / 1000.0).unwrap_or_else(|| ["on ", &local(&date)].concat())
}

/// `at` (RFC 3339) in the person's own zone and manner. Browser only.
pub(crate) fn full(at: &str) -> String {
    local(&Date::new(&JsValue::from_str(at)))
}

fn local(date: &Date) -> String {
    date.to_locale_string("default", &JsValue::UNDEFINED).into()
}
