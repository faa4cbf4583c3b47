//! What the server says to an upload, and what follows from it.

use serde::{Deserialize, de::DeserializeOwned};

use crate::{
    model::{Fate, Told},
    upload::words,
};

/// How long to wait where the server is busy and does not say for how long, in seconds.
const BUSY: u64 = 5;

/// An answer as the browser gives it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Answer {
    /// 0 where none came.
    pub(crate) status: u16,
    /// Seconds.
    pub(crate) retry_after: Option<u64>,
    pub(crate) body: String,
}

/// Why something was not done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Trouble {
    /// No answer came, or not the studio's own.
    Line,
    /// It is to be asked again, after so many seconds.
    Busy(u64),
    /// Nothing more can be sent until a person has done something.
    Stop(Stop),
    /// This one file cannot be sent; another may.
    Failed(String),
}

/// Why nothing more is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    SignedOut,
    /// The right is gone, or the batch; in the server's words.
    Refused(String),
}

/// What became of what one file brought: itself, or many where it was an archive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Outcome {
    pub(crate) added: u32,
    pub(crate) here: u32,
    pub(crate) held: u32,
    pub(crate) refused: u32,
    /// Why, of those that were not added.
    pub(crate) why: String,
}

#[derive(Deserialize)]
struct Uploaded {
    assets: Vec<Told>,
}

#[derive(Deserialize)]
struct Missing {
    missing: Vec<String>,
}

#[derive(Deserialize)]
struct Problem {
    detail: String,
}

impl Answer {
    /// The answer to files that were sent.
    pub(crate) fn told(&self) -> Result<Vec<Told>, Trouble> {
        self.read().map(|uploaded: Uploaded| uploaded.assets)
    }

    /// The answer to the question what is missing.
    pub(crate) fn missing(&self) -> Result<Vec<String>, Trouble> {
        self.read().map(|missing: Missing| missing.missing)
    }

    fn read<T: DeserializeOwned>(&self) -> Result<T, Trouble> {
        match self.status {
            // A body that cannot be read is not the studio's: some gate on the way has answered for it.
            200..300 => serde_json::from_str(&self.body).map_err(|_| Trouble::Line),
            0 | 408 | 502 | 504 => Err(Trouble::Line),
            429 | 503 => Err(Trouble::Busy(self.retry_after.unwrap_or(BUSY))),
            401 => Err(Trouble::Stop(Stop::SignedOut)),
            403 | 404 => Err(Trouble::Stop(Stop::Refused(self.detail()))),
            _ => Err(Trouble::Failed(self.detail())),
        }
    }

    fn detail(&self) -> String {
        match serde_json::from_str::<Problem>(&self.body) {
            Ok(problem) => problem.detail,
            Err(_) => ["The server answered ", &self.status.to_string(), "."].concat(),
        }
    }
}

impl Outcome {
    pub(crate) const fn here() -> Self {
        Self { added: 0, here: 1, held: 0, refused: 0, why: String::new() }
    }

    pub(crate) const fn refused(why: String) -> Self {
        Self { added: 0, here: 0, held: 0, refused: 1, why }
    }

    /// Whether anything of it is in the batch, or will be.
    pub(crate) const fn came(&self) -> bool {
        self.added + self.here + self.held > 0
    }

    /// For a person, in a line.
    pub(crate) fn note(&self) -> String {
        let text = match (self.added, self.here, self.held, self.refused) {
            (1, 0, 0, 0) => "Added",
            (0, 1, 0, 0) => "Already here",
            (0, 0, 1, 0) => "Held back, still checking",
            (0, 0, 0, 0) => "There was nothing in it",
            (0, 0, 0, 1) => &self.why,
            (added, here, held, refused) => {
                let parts = [(added, "added"), (here, "already here"), (held, "held back"), (refused, "refused")];
                let sum = words::list(&parts);
                return if self.why.is_empty() { sum } else { [&sum, ": ", &self.why].concat() };
            }
        };
        text.to_owned()
    }

    pub(crate) fn of(told: &[Told]) -> Self {
        let mut outcome = Self::default();
        for one in told {
            match one.status {
                Fate::Added => outcome.added += 1,
                Fate::Duplicate => outcome.here += 1,
                Fate::Held => outcome.held += 1,
                Fate::Refused => outcome.refused += 1,
            }
            // A reason is told with the fates that need one; of an archive, with the name.
            if let (Some(reason), Fate::Refused | Fate::Held) = (&one.reason, one.status) {
                if !outcome.why.is_empty() {
                    outcome.why.push_str("; ");
                }
                if told.len() > 1 {
                    outcome.why.push_str(&one.name);
                    outcome.why.push_str(": ");
                }
                outcome.why.push_str(reason);
            }
        }
        outcome
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(status: u16, body: &str) -> Answer {
        Answer { status, retry_after: None, body: body.to_owned() }
    }

    #[test]
    fn what_became_of_each_file_is_read() {
        let body = r#"{"assets":[
            {"name":"a.png","status":"added","id":"01890000-0000-7000-8000-000000000001","sha256":"00","reason":null},
            {"name":"b.txt","status":"refused","id":null,"sha256":null,"reason":"this is a text"},
            {"name":"c.png","status":"held"}]}"#;
        let told = answer(201, body).told().unwrap();
        assert_eq!(told.len(), 3);
        let outcome = Outcome::of(&told);
        assert_eq!((outcome.added, outcome.refused, outcome.held, outcome.here), (1, 1, 1, 0));
        assert_eq!(outcome.why, "b.txt: this is a text", "one of many is named");
        assert_eq!(outcome.note(), "1 added, 1 held back, 1 refused: b.txt: this is a text");
        let single = |at: usize| Outcome::of(&told[at..=at]).note();
        assert_eq!([single(0), single(1), single(2)], ["Added", "this is a text", "Held back, still checking"]);
    }

    #[test]
    fn what_is_missing_is_read() {
        assert_eq!(answer(200, r#"{"missing":["ab"]}"#).missing(), Ok(vec!["ab".to_owned()]));
    }

    #[test]
    fn a_busy_server_says_for_how_long() {
        let busy = Answer { status: 503, retry_after: Some(7), body: String::new() };
        assert_eq!(busy.told(), Err(Trouble::Busy(7)));
        assert_eq!(answer(429, "").told(), Err(Trouble::Busy(BUSY)));
    }

    #[test]
    fn a_gate_on_the_way_that_answers_for_the_server_is_a_broken_line() {
        for silent in
            [answer(0, ""), answer(502, "<html>"), answer(504, ""), answer(200, "<html>Please sign in to the café")]
        {
            assert_eq!(silent.told(), Err(Trouble::Line), "{silent:?}");
        }
    }

    #[test]
    fn what_a_person_must_see_to_stops_everything_and_what_one_file_is_to_blame_for_does_not() {
        assert_eq!(answer(401, "").told(), Err(Trouble::Stop(Stop::SignedOut)));
        let refused = answer(403, r#"{"type":"urn:x","title":"Not allowed","status":403,"detail":"Ask an admin."}"#);
        assert_eq!(refused.told(), Err(Trouble::Stop(Stop::Refused("Ask an admin.".to_owned()))));
        assert_eq!(answer(500, "").told(), Err(Trouble::Failed("The server answered 500.".to_owned())));
        assert_eq!(answer(413, "").told(), Err(Trouble::Failed("The server answered 413.".to_owned())));
    }
}
