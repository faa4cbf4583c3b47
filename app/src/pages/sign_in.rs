//! Signing in: a plain form that works before, and without, any script.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    model::Refusal,
    pages::frame::{Logo, ThemeButton},
};

/// Why a try failed, as the address says it: a word and a number, never a text that a link could bring along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Why {
    Wrong,
    /// Too many tries; seconds to wait.
    Wait(u64),
    Failed,
}

impl Why {
    pub(crate) fn of(refusal: &Refusal) -> Self {
        match (refusal, refusal.retry_after()) {
            (_, Some(seconds)) => Self::Wait(seconds),
            (Refusal::WrongPassword | Refusal::Invalid { .. } | Refusal::Forbidden, _) => Self::Wrong,
            _ => Self::Failed,
        }
    }

    fn word(self) -> String {
        match self {
            Self::Wrong => "wrong".to_owned(),
            Self::Wait(seconds) => format!("wait-{seconds}"),
            Self::Failed => "failed".to_owned(),
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        match word {
            "wrong" => Some(Self::Wrong),
            "failed" => Some(Self::Failed),
            _ => word.strip_prefix("wait-").and_then(|seconds| seconds.parse().ok()).map(Self::Wait),
        }
    }

    fn text(self) -> String {
        match self {
            Self::Wrong => Refusal::WrongPassword.to_string(),
            Self::Wait(retry_after) => Refusal::TooManyTries { retry_after }.to_string(),
            Self::Failed => "Signing in did not work just now. Please try again.".to_owned(),
        }
    }
}

/// Where to go after signing in: an address of this studio, whatever a link says.
pub(crate) fn local(next: &str) -> &str {
    let path = next.starts_with('/') && !next.starts_with("//");
    // Browsers read a backslash as a slash and drop control characters: either could lead elsewhere.
    let plain = next.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if path && plain && !next.starts_with("/sign-in") { next } else { "/batches" }
}

/// The page's address, with where to go afterwards and why a try failed.
pub(crate) fn address(next: &str, why: Option<Why>) -> String {
    let mut address = "/sign-in".to_owned();
    let mut join = '?';
    if local(next) == next && next != "/batches" {
        address.push_str("?next=");
        address.push_str(&escaped(next));
        join = '&';
    }
    if let Some(why) = why {
        address.push(join);
        address.push_str("why=");
        address.push_str(&why.word());
    }
    address
}

/// Escapes what would end or split a query value.
fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => out.push_str("%26"),
            '#' => out.push_str("%23"),
            '+' => out.push_str("%2B"),
            '%' => out.push_str("%25"),
            other => out.push(other),
        }
    }
    out
}

#[component]
pub(crate) fn SignIn() -> impl IntoView {
    let query = use_query_map().get_untracked();
    let why = query.get("why").and_then(|word| Why::from_word(&word));
    let next = query.get("next").unwrap_or_default();
    let next = local(&next).to_owned();
    let invalid = why == Some(Why::Wrong);
    view! {
        <Title text="Sign in" />
        <main class="calm" id="main">
            <form class="calm-sheet sign-in" method="post" action="/actions/sign-in">
                <Logo />
                <h1>"Avatars"</h1>
                {why.map(|why| view! { <p class="refused" role="alert" id="why">{why.text()}</p> })}
                <label>
                    "Name"
                    <input
                        name="name"
                        type="text"
                        autocomplete="username"
                        autocapitalize="none"
                        spellcheck="false"
                        required
                        autofocus
                        aria-invalid=invalid.then_some("true")
                        aria-describedby=invalid.then_some("why")
                    />
                </label>
                <label>
                    "Password"
                    <input
                        name="password"
                        type="password"
                        autocomplete="current-password"
                        required
                        aria-invalid=invalid.then_some("true")
                        aria-describedby=invalid.then_some("why")
                    />
                </label>
                <input type="hidden" name="next" value=next />
                <button type="submit" class="primary">
                    "Sign in"
                </button>
            </form>
            <div class="corner">
                <ThemeButton />
            </div>
        </main>
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_onwards_never_leaves_the_studio() {
        assert_eq!(local("/batches/1?decision=approved"), "/batches/1?decision=approved");
        for bad in ["", "https://evil.example", "//evil.example", "/\\evil.example", "/\t/evil.example", "/sign-in?a"] {
            assert_eq!(local(bad), "/batches", "{bad}");
        }
    }

    #[test]
    fn the_address_keeps_where_one_wanted_to_go() {
        assert_eq!(address("", None), "/sign-in");
        assert_eq!(address("/batches/1?a=b&c=d", None), "/sign-in?next=/batches/1?a=b%26c=d");
        assert_eq!(address("//evil", Some(Why::Wrong)), "/sign-in?why=wrong");
        assert_eq!(address("/x", Some(Why::Wait(30))), "/sign-in?next=/x&why=wait-30");
    }

    #[test]
    fn why_survives_the_address() {
        for why in [Why::Wrong, Why::Wait(30), Why::Failed] {
            assert_eq!(Why::from_word(&why.word()), Some(why));
        }
        assert_eq!(Why::from_word("<b>"), None);
    }
}
