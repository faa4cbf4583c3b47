//! What a server tells the pages about itself: values that it provides as contexts with each request.

use std::{fmt::Write, sync::Arc, time::Duration};

/// The addresses of the built site files, as served: absolute paths, with their hash where they have one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SiteFiles {
    pub css: Arc<str>,
    pub js: Arc<str>,
    pub wasm: Arc<str>,
}

/// The largest file that is taken in, in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UploadLimit(pub u64);

/// How the session cookie is written; the one place that words it, for pages and API alike.
#[derive(Clone, Copy, Debug)]
pub struct SessionCookie {
    /// Whether people reach the studio by https: browsers then never send the cookie in clear.
    pub secure: bool,
    /// How long the browser keeps it; the server's own limit decides.
    pub max_age: Duration,
}

impl SessionCookie {
    pub const NAME: &str = "avatars_session";

    /// The `Set-Cookie` value that opens a session.
    pub fn set(&self, session: &str) -> String {
        self.line(session, self.max_age.as_secs())
    }

    /// The `Set-Cookie` value that ends it.
    pub fn clear(&self) -> String {
        self.line("", 0)
    }

    fn line(&self, value: &str, max_age: u64) -> String {
        let mut line = format!("{}={value}; Path=/; HttpOnly; SameSite=Lax; Max-Age={max_age}", Self::NAME);
        if self.secure {
            let _infallible = write!(line, "; Secure");
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_cookie_is_out_of_reach_of_scripts_and_of_other_sites() {
        let cookie = SessionCookie { secure: true, max_age: Duration::from_secs(60) };
        assert_eq!(cookie.set("abc"), "avatars_session=abc; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure");
        let plain = SessionCookie { secure: false, ..cookie };
        assert_eq!(plain.clear(), "avatars_session=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0");
    }
}
