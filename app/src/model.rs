//! The words on the wire: ids, decisions, roles, batches, assets and the errors that a person can be told.
//!
//! The JSON API and the server functions speak these types and no others. Nothing here may depend on a server.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

id!(
    /// An account: a person who signs in.
    AccountId
);
id!(
    /// A batch of candidates under review.
    BatchId
);
id!(
    /// One picture in one batch.
    AssetId
);
id!(
    /// One act of deciding, over one asset or many: what undo takes back.
    ChangeId
);
id!(
    /// A file that is held back until it is known to be clean.
    HeldId
);

/// A short name used in addresses and on the command line: 1 to 64 of `a-z`, `0-9` and `-`, not beginning or ending with `-`.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Slug(String);

/// Why a text is not a [`Slug`].
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" is not a name: use 1 to 64 lower-case letters, digits and hyphens, with no hyphen at either end")]
pub struct NotASlug(String);

impl Slug {
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Slug {
    type Err = NotASlug;
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let letters = text.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        let edges = text.starts_with('-') || text.ends_with('-');
        if text.is_empty() || text.len() > 64 || !letters || edges {
            return Err(NotASlug(text.to_owned()));
        }
        Ok(Self(text.to_owned()))
    }
}

impl TryFrom<String> for Slug {
    type Error = NotASlug;
    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<Slug> for String {
    fn from(slug: Slug) -> Self {
        slug.0
    }
}

impl fmt::Display for Slug {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        pub enum $name { $($(#[$vdoc])* #[serde(rename = $word)] $variant),+ }

        impl $name {
            /// Every value, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$variant),+];

            /// The word on the wire, in the database and on the command line.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }

        impl FromStr for $name {
            type Err = UnknownWord;
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($word => Ok(Self::$variant),)+
                    _ => Err(UnknownWord { word: text.to_owned(), known: &[$($word),+] }),
                }
            }
        }
    };
}

/// A word that is none of those expected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{word}\" is not one of {}", known.join(", "))]
pub struct UnknownWord {
    word: String,
    known: &'static [&'static str],
}

mod importing;

pub use importing::{Importing, Managed};

words!(
    /// What was decided of a candidate.
    Decision { Undecided = "undecided", Approved = "approved", Rejected = "rejected" }
);
words!(
    /// What an account may do in a family or with one subject; each role includes those before it.
    Role {
        /// Sees batches, pictures and decisions.
        Viewer = "viewer",
        /// Decides, too.
        Reviewer = "reviewer",
        /// Imports, creates batches and exports, too.
        Manager = "manager",
    }
);
words!(
    /// What a picture is in its batch.
    Kind {
        /// Up for review.
        Candidate = "candidate",
        /// An input or intermediate of the pipeline that made the candidates: seen, never decided.
        Pipeline = "pipeline",
    }
);
words!(
    /// Whether a batch still takes decisions.
    BatchStatus { Open = "open", Closed = "closed" }
);

/// How many candidates of a batch stand where. Pipeline pictures are not counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Counts {
    pub total: u32,
    pub undecided: u32,
    pub approved: u32,
    pub rejected: u32,
}

impl Counts {
    /// The number that stands at `decision`.
    pub fn of(&self, decision: Decision) -> u32 {
        match decision {
            Decision::Undecided => self.undecided,
            Decision::Approved => self.approved,
            Decision::Rejected => self.rejected,
        }
    }

    /// Follows one candidate from one decision to another.
    pub fn shift(&mut self, from: Decision, to: Decision) {
        *self.slot(from) = self.of(from).saturating_sub(1);
        *self.slot(to) += 1;
    }

    /// Counts one more candidate.
    pub fn add(&mut self, decision: Decision) {
        self.total += 1;
        *self.slot(decision) += 1;
    }

    fn slot(&mut self, decision: Decision) -> &mut u32 {
        match decision {
            Decision::Undecided => &mut self.undecided,
            Decision::Approved => &mut self.approved,
            Decision::Rejected => &mut self.rejected,
        }
    }
}

/// A batch as the caller may see it: `counts` holds only what the caller may see.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Batch {
    pub id: BatchId,
    pub slug: Slug,
    pub title: String,
    pub family: Slug,
    pub status: BatchStatus,
    pub counts: Counts,
}

impl Batch {
    /// The longest title, in characters.
    const TITLE: usize = 200;

    /// What to tell of a title that is none.
    pub const NOT_A_TITLE: &str = "A title has 1 to 200 characters, in one line.";

    /// Whether the text, without space around it, can be a title.
    pub fn is_title(text: &str) -> bool {
        let text = text.trim();
        !text.is_empty() && text.chars().count() <= Self::TITLE && !text.contains(char::is_control)
    }
}

/// One picture of a batch.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Asset {
    pub id: AssetId,
    pub subject: Slug,
    pub kind: Kind,
    /// Of the original's bytes, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Size of the original.
    pub bytes: u64,
    /// Told from the original's bytes, never from its name.
    pub mime: String,
    /// As displayed, in pixels.
    pub width: u32,
    /// As displayed, in pixels.
    pub height: u32,
    /// Of a video, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub duration_ms: Option<u64>,
    /// The mean colour as `#rrggbb`, to show until the picture is there. A picture that can be seen through has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub placeholder: Option<String>,
    pub original_name: String,
    pub decision: Decision,
    /// Grows by one with each decision: what a decision must name to be taken.
    pub version: u32,
    /// The name of the account that decided last.
    pub decided_by: Option<String>,
    /// RFC 3339, UTC.
    pub decided_at: Option<String>,
}

impl Asset {
    /// Whether it plays.
    pub fn is_video(&self) -> bool {
        self.mime.starts_with("video/")
    }
}

/// One page of a batch's assets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct AssetPage {
    pub assets: Vec<Asset>,
    /// What to pass as `after` for the next page; absent at the end.
    pub next: Option<String>,
}

/// Which assets of a batch are asked for.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct AssetQuery {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<Decision>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kind: Option<Kind>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<Slug>,
    /// The `next` of the page before, or the id of an asset.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
    /// At most 1000, which is also the default.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u32>,
}

/// An asset at the version that the person who decides has seen.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssetVersion {
    pub id: AssetId,
    pub version: u32,
}

/// What one act of deciding did.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Change {
    /// What undo takes. An act that changed nothing has one too.
    pub id: ChangeId,
    /// Where each asset stands now, in the order asked for.
    pub assets: Vec<Decided>,
}

/// Where an asset stands after a decision, or instead of one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Decided {
    pub id: AssetId,
    pub decision: Decision,
    pub version: u32,
    pub decided_by: Option<String>,
    /// RFC 3339, UTC.
    pub decided_at: Option<String>,
}

/// One line of an asset's append-only history.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HistoryEntry {
    pub by: String,
    /// RFC 3339, UTC.
    pub at: String,
    pub before: Decision,
    pub after: Decision,
    /// The version that the asset had afterwards.
    pub version: u32,
}

/// Who is signed in, as far as a page needs it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Account {
    pub id: AccountId,
    pub name: String,
    pub admin: bool,
}

/// What the studio refuses, in words that a person can be shown. One problem document each, made in one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, thiserror::Error)]
#[serde(tag = "code", rename_all = "kebab-case", try_from = "FlatRefusal")]
pub enum Refusal {
    #[error("Please sign in.")]
    SignedOut,
    #[error("The name or the password is wrong.")]
    WrongPassword,
    #[error("Too many tries. Please wait {retry_after} s and try again.")]
    TooManyTries {
        /// Seconds.
        retry_after: u64,
    },
    #[error("This account has no right to do that. Ask an admin for a grant.")]
    Forbidden,
    #[error("There is no such {what}, or this account may not see it.")]
    NotFound { what: String },
    #[error("{}", stale_text(.assets))]
    Stale {
        /// Where each stale asset stands now.
        assets: Vec<Decided>,
    },
    #[error("{reason}")]
    Invalid { reason: String },
    #[error("{reason} Please try again in {retry_after} s.")]
    Unavailable {
        reason: String,
        /// Seconds.
        retry_after: u64,
    },
    #[error("Something went wrong on the server. It has been logged under request {request_id}.")]
    Internal { request_id: String },
    /// The answer never came, or could not be read: only the browser half says this.
    #[error("The server cannot be reached. Nothing was lost: try again.")]
    Unreachable,
}

/// A refusal as it is read: whatever the code, in one pass. What serde derives for a tagged enum reads each value into
/// a tree first, and browsers would download that.
#[derive(Deserialize)]
struct FlatRefusal {
    code: String,
    retry_after: Option<u64>,
    what: Option<String>,
    assets: Option<Vec<Decided>>,
    reason: Option<String>,
    request_id: Option<String>,
}

/// Why something is not a [`Refusal`].
#[derive(Debug, thiserror::Error)]
#[error("not a refusal")]
struct NotARefusal;

impl TryFrom<FlatRefusal> for Refusal {
    type Error = NotARefusal;
    fn try_from(flat: FlatRefusal) -> Result<Self, NotARefusal> {
        let FlatRefusal { code, retry_after, what, assets, reason, request_id } = flat;
        Ok(match code.as_str() {
            "signed-out" => Self::SignedOut,
            "wrong-password" => Self::WrongPassword,
            "too-many-tries" => Self::TooManyTries { retry_after: retry_after.ok_or(NotARefusal)? },
            "forbidden" => Self::Forbidden,
            "not-found" => Self::NotFound { what: what.ok_or(NotARefusal)? },
            "stale" => Self::Stale { assets: assets.ok_or(NotARefusal)? },
            "invalid" => Self::Invalid { reason: reason.ok_or(NotARefusal)? },
            "unavailable" => {
                Self::Unavailable { reason: reason.ok_or(NotARefusal)?, retry_after: retry_after.ok_or(NotARefusal)? }
            }
            "internal" => Self::Internal { request_id: request_id.ok_or(NotARefusal)? },
            "unreachable" => Self::Unreachable,
            _ => return Err(NotARefusal),
        })
    }
}

fn stale_text(assets: &[Decided]) -> String {
    match assets {
        [one] => format!(
            "{} has decided this one meanwhile: it is {} now.",
            one.decided_by.as_deref().unwrap_or("Somebody"),
            one.decision
        ),
        more => format!("{} of these were decided by somebody else meanwhile. Nothing was changed.", more.len()),
    }
}
