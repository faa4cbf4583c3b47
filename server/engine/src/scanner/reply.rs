//! What clamd says, and that nothing but its own word for it means clean.

use super::clamd::ClamdError;

/// What clamd says about a stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Answer {
    Clean,
    /// By the name of the signature.
    Infected(String),
    /// It did not look at it, or not at all of it.
    TooLarge,
}

/// The names under which clamd tells that it did not look at everything (`AlertExceedsMax`).
const NOT_ALL_OF_IT: &str = "Heuristics.Limits.Exceeded";
/// Above `StreamMaxLength`; clamd closes the connection after it.
const STREAM_LIMIT: &str = "INSTREAM size limit exceeded. ERROR";

/// Reads an answer, without the NUL that ends it.
pub(super) fn read(text: &str) -> Result<Answer, ClamdError> {
    if text == STREAM_LIMIT {
        return Ok(Answer::TooLarge);
    }
    if let Some(said) = text.strip_suffix(" ERROR") {
        return Err(ClamdError::Said(said.to_owned()));
    }
    let Some(about) = text.strip_prefix("stream: ") else { return Err(ClamdError::garbage(text)) };
    if about == "OK" {
        return Ok(Answer::Clean);
    }
    match about.strip_suffix(" FOUND") {
        Some(name) if name.starts_with(NOT_ALL_OF_IT) => Ok(Answer::TooLarge),
        Some(name) if is_a_name(name) => Ok(Answer::Infected(name.to_owned())),
        _ => Err(ClamdError::garbage(text)),
    }
}

/// Names of signatures are printed, stored and shown.
fn is_a_name(name: &str) -> bool {
    !name.is_empty() && name.len() <= 200 && !name.contains(char::is_control)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_answers_of_a_real_clamd_are_understood() {
        assert_eq!(read("stream: OK").unwrap(), Answer::Clean);
        let found = Answer::Infected("Eicar-Test-Signature.UNOFFICIAL".to_owned());
        assert_eq!(read("stream: Eicar-Test-Signature.UNOFFICIAL FOUND").unwrap(), found);
        assert_eq!(read("INSTREAM size limit exceeded. ERROR").unwrap(), Answer::TooLarge);
        assert_eq!(read("stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND").unwrap(), Answer::TooLarge);
        let error = read("stream: Can't allocate memory ERROR").unwrap_err();
        assert_eq!(error.to_string(), "clamd says: stream: Can't allocate memory");
    }

    #[test]
    fn what_is_nearly_an_answer_is_none() {
        for text in [
            "",
            "OK",
            "stream: ",
            "stream: O",
            "stream: OK ",
            "stream: OK\n",
            "stream:OK",
            "1: stream: OK",
            "stream: FOUND",
            "stream:  FOUND",
            "stream: ok",
            "UNKNOWN COMMAND",
            "PONG",
        ] {
            assert!(matches!(read(text), Err(ClamdError::Garbage(_))), "{text:?}");
        }
    }

    proptest! {
        #[test]
        fn nothing_else_is_ever_clean(text in ".{0,40}|(stream: )?(OK|FOUND|ERROR|[ -~]{0,12}){0,3}") {
            prop_assert_eq!(matches!(read(&text), Ok(Answer::Clean)), text == "stream: OK");
        }
    }
}
