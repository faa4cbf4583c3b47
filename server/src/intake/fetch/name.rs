//! What a picture is called that came by address.

use http::{HeaderMap, header::CONTENT_DISPOSITION};
use percent_encoding::percent_decode_str;
use reqwest::Url;

/// The longest name, in characters.
const LONGEST: usize = 200;

/// By the answer's `Content-Disposition`; else by the last part of the path that was asked for, or that it led to; else
/// by the host.
pub(super) fn name(headers: &HeaderMap, asked: &Url, led_to: &Url) -> String {
    let given = headers.get(CONTENT_DISPOSITION).and_then(|value| given(&String::from_utf8_lossy(value.as_bytes())));
    [given, last_part(asked), last_part(led_to)]
        .into_iter()
        .flatten()
        .map(|name| tidy(&name))
        .find(|name| !name.is_empty())
        .unwrap_or_else(|| asked.host_str().unwrap_or_default().to_owned())
}

/// The file name of a `Content-Disposition` (RFC 6266): the extended form goes before the plain one.
fn given(disposition: &str) -> Option<String> {
    let (mut plain, mut extended) = (None, None);
    for (name, value) in parameters(disposition) {
        match name.to_ascii_lowercase().as_str() {
            "filename" => plain = Some(value),
            "filename*" => {
                extended = value.split_once("''").and_then(|(charset, text)| {
                    let decoded = percent_decode_str(text).decode_utf8().ok()?;
                    charset.eq_ignore_ascii_case("utf-8").then(|| decoded.into_owned())
                });
            }
            _ => {}
        }
    }
    extended.or(plain)
}

/// The parameters behind the first `;`; a quoted value may hold anything, a `;` as well.
fn parameters(header: &str) -> Vec<(String, String)> {
    let (mut parameters, mut current, mut quoted, mut escaped) = (Vec::new(), String::new(), false, false);
    for letter in header.chars().chain([';']) {
        match letter {
            _ if escaped => {
                escaped = false;
                current.push(letter);
            }
            '\\' if quoted => escaped = true,
            '"' => quoted = !quoted,
            ';' if !quoted => {
                if let Some((name, value)) = current.split_once('=') {
                    parameters.push((name.trim().to_owned(), value.trim().to_owned()));
                }
                current.clear();
            }
            _ => current.push(letter),
        }
    }
    parameters
}

fn last_part(url: &Url) -> Option<String> {
    let last = url.path_segments()?.rfind(|part| !part.is_empty())?;
    Some(percent_decode_str(last).decode_utf8_lossy().into_owned())
}

/// A name and not a path, in one line.
fn tidy(name: &str) -> String {
    let name = name.rsplit(['/', '\\']).next().unwrap_or_default();
    name.chars().filter(|letter| !letter.is_control()).take(LONGEST).collect::<String>().trim().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(disposition: &str, url: &str) -> String {
        let headers =
            [(CONTENT_DISPOSITION, disposition.parse().unwrap())].into_iter().filter(|_| !disposition.is_empty());
        let url = url.parse().unwrap();
        name(&headers.collect(), &url, &url)
    }

    #[test]
    fn a_name_is_what_the_answer_says_or_the_end_of_the_path() {
        let url = "https://example.org/pictures/Ida%20laughing.png?size=full#top";
        assert_eq!(named("", url), "Ida laughing.png");
        assert_eq!(named("inline", url), "Ida laughing.png");
        assert_eq!(named("attachment; filename=a.png", url), "a.png");
        assert_eq!(named("attachment; filename=\"a; b \\\"c\\\".png\"; size=3", url), "a; b \"c\".png");
        assert_eq!(named("attachment; filename=\"x.png\"; filename*=UTF-8''Zo%C3%AB.png", url), "Zoë.png");
        assert_eq!(named("attachment; filename*=latin-9''Zo%EB.png; filename=x.png", url), "x.png");
    }

    #[test]
    fn a_name_is_never_a_path_nor_without_end_nor_empty() {
        assert_eq!(named("attachment; filename=\"../../etc/passwd\"", "https://example.org/a"), "passwd");
        assert_eq!(named("attachment; filename=\"C:\\\\\\\\x\\\\\\\\a.png\"", "https://example.org/"), "a.png");
        assert_eq!(named("attachment; filename=\"/\"", "https://example.org/b.png"), "b.png");
        assert_eq!(named("", "https://example.org/"), "example.org");
        assert_eq!(named("", "https://example.org/a%2Fb%0Ac.png/"), "bc.png");
        assert_eq!(named("", &format!("https://example.org/{}", "x".repeat(999))).len(), LONGEST);
    }
}
