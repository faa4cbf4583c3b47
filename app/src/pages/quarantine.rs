//! What is held back until it is known to be clean, and what never was: for those who bring files in.
//!
//! Plain forms and links: all of it works without scripts.

use leptos::prelude::*;
use leptos_meta::Title;
use leptos_router::hooks::use_query_map;

use crate::{
    actions::held_desk,
    components::icon::Icon,
    held::{HeldFile, Passenger, RefusedFile, ScannerState},
    pages::{frame::Frame, load::page},
    review::notice::ago,
};

/// New signatures come every day; without any for a week something is wrong. Seconds.
const STALE: u64 = 7 * 86_400;

/// What was just done, as the address says it: a word, never a text that a link could bring along.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Done {
    Added,
    Duplicate,
    Refused,
    Held,
    Discarded,
    /// Somebody else, or the server itself, was faster.
    Gone,
    /// Scanning is off.
    Off,
    Failed,
}

impl Done {
    const ALL: [Self; 8] =
        [Self::Added, Self::Duplicate, Self::Refused, Self::Held, Self::Discarded, Self::Gone, Self::Off, Self::Failed];

    /// From the status of a file that was tried again.
    pub(crate) fn of(status: &str) -> Self {
        Self::from_word(status).unwrap_or(Self::Held)
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Added => "added",
            Self::Duplicate => "duplicate",
            Self::Refused => "refused",
            Self::Held => "held",
            Self::Discarded => "discarded",
            Self::Gone => "gone",
            Self::Off => "off",
            Self::Failed => "failed",
        }
    }

    fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|done| done.word() == word)
    }

    const fn text(self) -> &'static str {
        match self {
            Self::Added => "It is clean, and in its batch now.",
            Self::Duplicate => "It is clean, and was in its batch already.",
            Self::Refused => "It was refused: the reason stands below.",
            Self::Held => "There is no verdict yet: it stays held back, and is tried again by itself.",
            Self::Discarded => "It was thrown away.",
            Self::Gone => "It is not held back any more.",
            Self::Off => "Scanning is off: what is held back stays held back.",
            Self::Failed => "That did not work just now. Please try again.",
        }
    }
}

/// The page's address, with what was just done.
pub(crate) fn address(done: Done) -> String {
    ["/quarantine?done=", done.word()].concat()
}

#[component]
pub(crate) fn Quarantine() -> impl IntoView {
    let done = use_query_map().with_untracked(|query| query.get_str("done").and_then(Done::from_word));
    page(move |studio, caller| async move {
        let account = studio.account(&caller).await?;
        let (desk, _) = held_desk()?;
        let overview = desk.overview(&caller).await?;
        let (held, refused) = (overview.held, overview.refused);
        Ok(view! {
            <Title text="Quarantine" />
            <Frame account>
                <div class="desk">
                    <h1>"Quarantine"</h1>
                    {overview.scanner.map(|scanner| view! { <Scanner scanner /> })}
                    {done.map(|done| view! { <p class="outcome" role="status">{done.text()}</p> })}
                    <section aria-labelledby="held">
                        <h2 id="held">"Held back " <span class="count">{held.len()}</span></h2>
                        {if held.is_empty() {
                            view! { <p class="muted">"Nothing is held back."</p> }.into_any()
                        } else {
                            let files = held.into_iter().map(|file| view! { <Held file /> }).collect_view();
                            view! {
                                <p class="muted">
                                    "Nobody sees these files. Each goes into its batch by itself as soon as it is known to be clean."
                                </p>
                                <ul class="files">{files}</ul>
                            }
                                .into_any()
                        }}
                    </section>
                    <section aria-labelledby="refused">
                        <h2 id="refused">"Refused after a scan " <span class="count">{refused.len()}</span></h2>
                        {if refused.is_empty() {
                            view! { <p class="muted">"Nothing infected has come in."</p> }.into_any()
                        } else {
                            let files = refused.into_iter().map(|file| view! { <Refused file /> }).collect_view();
                            view! {
                                <p class="muted">"Their bytes are deleted; this is the record."</p>
                                <ul class="files">{files}</ul>
                            }
                                .into_any()
                        }}
                    </section>
                </div>
            </Frame>
        })
    })
}

/// How the scanner stands.
#[component]
fn Scanner(scanner: ScannerState) -> impl IntoView {
    if !scanner.on {
        return view! {
            <p class="scanner" data-state="off">
                "Scanning is off: files come in unchecked. AVATARS_SCAN=clamd switches it on."
            </p>
        }
        .into_any();
    }
    let engine = scanner.version.unwrap_or_else(|| "ClamAV does not answer".to_owned());
    let signatures = match scanner.signatures {
        None => String::new(),
        Some(signatures) => {
            let age = signatures.age_seconds.map(|age| format!(", {} old", span(age))).unwrap_or_default();
            let stale = signatures.age_seconds.is_some_and(|age| age > STALE);
            let hint = if stale { ": does freshclam run?" } else { "" };
            format!(" · signatures {}{age}{hint}", signatures.version)
        }
    };
    let (state, icon) = if scanner.trouble.is_some() { ("trouble", "#i-cross") } else { ("well", "#i-check") };
    view! {
        <div class="scanner" data-state=state>
            <p>
                <Icon name=icon />
                <span>
                    <strong>{engine}</strong>
                    {signatures}
                    <span class="muted">" · " {scanner.address}</span>
                </span>
            </p>
            {scanner.trouble.map(|trouble| view! { <p class="trouble">{sentence(&trouble)}</p> })}
        </div>
    }
    .into_any()
}

#[component]
fn Held(file: HeldFile) -> impl IntoView {
    let HeldFile { id, file, held_seconds, tries, next_try_seconds, why, reason, .. } = file;
    // Where the scanner is, and what is wrong with it, stands above once and not with each file.
    let reason = if why == "away" { "it waits for the scanner".to_owned() } else { reason };
    let next = match next_try_seconds {
        0 => "is being tried now".to_owned(),
        seconds => format!("next try in {}", span(seconds)),
    };
    let tried = match tries {
        0 => String::new(),
        1 => " · tried once".to_owned(),
        tries => format!(" · tried {tries} times"),
    };
    let (popover, question) = (format!("discard-{id}"), format!("question-{id}"));
    let (opens, closes, asked) = (popover.clone(), popover.clone(), question.clone());
    let name = file.name.clone();
    view! {
        <li class="file">
            <div class="file-text">
                <Name file=file.clone() />
                <p class="file-reason">{sentence(&reason)}</p>
                <Facts file seconds=held_seconds />
                <p class="muted">{next} {tried}</p>
            </div>
            <div class="file-acts">
                <form method="post" action="/actions/retry-held">
                    <input type="hidden" name="id" value=id.to_string() />
                    <button type="submit" aria-label=format!("Try now: {name}")>
                        <Icon name="#i-again" />
                        "Try now"
                    </button>
                </form>
                <button type="button" class="quiet" popovertarget=opens aria-label=format!("Discard: {name}")>
                    "Discard…"
                </button>
            </div>
            <div id=popover class="ask" popover="auto" role="dialog" aria-labelledby=asked>
                <h3 id=question>"Throw " <span class="file-name">{name}</span> " away?"</h3>
                <p>"Its bytes are deleted. It cannot be brought back."</p>
                <div class="ask-acts">
                    <form method="post" action="/actions/discard-held">
                        <input type="hidden" name="id" value=id.to_string() />
                        <button type="submit" class="danger">
                            "Discard"
                        </button>
                    </form>
                    <button type="button" popovertarget=closes popovertargetaction="hide">
                        "Keep it"
                    </button>
                </div>
            </div>
        </li>
    }
}

#[component]
fn Refused(file: RefusedFile) -> impl IntoView {
    let RefusedFile { file, at, ago_seconds, signature, reason, .. } = file;
    let sha256 = file.sha256.clone();
    let why = match signature {
        Some(signature) => view! {
            <p class="file-reason">
                "Infected: " <strong class="signature">{signature}</strong>
            </p>
        }
        .into_any(),
        None => view! { <p class="file-reason">{sentence(&reason)}</p> }.into_any(),
    };
    view! {
        <li class="file">
            <div class="file-text">
                <Name file=file.clone() />
                {why}
                <Facts file seconds=ago_seconds />
                <p class="muted hash">
                    <time datetime=at.clone()>{moment(&at)}</time>
                    " · SHA-256 "
                    <code>{sha256}</code>
                </p>
            </div>
        </li>
    }
}

#[component]
fn Name(file: Passenger) -> impl IntoView {
    view! { <h3 class="file-name">{file.name}</h3> }
}

/// Where it was to go, how large it is, who sent it and how long ago.
#[component]
fn Facts(file: Passenger, seconds: u64) -> impl IntoView {
    let place = format!("{} / {}", file.family, file.subject);
    view! {
        <p class="muted">
            <a href=format!("/batches/{}", file.batch)>{place}</a>
            " · "
            {size(file.bytes)}
            " · from "
            {file.by}
            ", "
            {when(seconds)}
        </p>
    }
}

fn when(seconds: u64) -> String {
    ago(seconds as f64).unwrap_or_else(|| format!("{} ago", span(seconds)))
}

/// RFC 3339 to the minute: what people write into a report.
fn moment(at: &str) -> String {
    match (at.get(..10), at.get(11..16)) {
        (Some(day), Some(minute)) => format!("{day} {minute} UTC"),
        _ => at.to_owned(),
    }
}

/// A length of time as people say it.
fn span(seconds: u64) -> String {
    let (count, unit) = match seconds {
        s if s < 90 => (s, "second"),
        s if s < 90 * 60 => (s / 60, "minute"),
        s if s < 48 * 3600 => (s / 3600, "hour"),
        s => (s / 86_400, "day"),
    };
    if count == 1 { format!("1 {unit}") } else { format!("{count} {unit}s") }
}

fn size(bytes: u64) -> String {
    const KIB: f64 = 1024.0;
    match bytes as f64 {
        bytes if bytes < KIB => format!("{bytes} B"),
        bytes if bytes < KIB * KIB => format!("{:.0} KiB", bytes / KIB),
        bytes => format!("{:.1} MiB", bytes / KIB / KIB),
    }
}

/// With a capital and a full stop.
fn sentence(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|first| first.to_uppercase().to_string()).unwrap_or_default();
    format!("{first}{}.", letters.as_str())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_done_survives_the_address() {
        for done in Done::ALL {
            assert_eq!(Done::from_word(done.word()), Some(done));
            assert_eq!(address(done), format!("/quarantine?done={}", done.word()));
        }
        assert_eq!(Done::from_word("<b>"), None);
        assert_eq!(Done::of("added"), Done::Added);
    }

    #[test]
    fn lengths_of_time_and_sizes_read_as_people_say_them() {
        assert_eq!([1, 40, 100, 7200, 200_000].map(span), ["1 second", "40 seconds", "1 minute", "2 hours", "2 days"]);
        assert_eq!([0, 1023, 1024, 5 << 20].map(size), ["0 B", "1023 B", "1 KiB", "5.0 MiB"]);
        assert_eq!(when(3), "just now");
        assert_eq!(moment("2026-12-01T01:00:39.569Z"), "2026-12-01 01:00 UTC");
        assert_eq!(when(200_000), "2 days ago");
    }
}
