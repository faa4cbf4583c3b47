//! Which requests are media. The one place that knows the addresses behind admission.
//!
//! A request is media when its method is GET or HEAD and its whole path is
//! `/(api|internal)/assets/<one segment>/(file|thumbnail|preview|poster|export/[a-z0-9-]+)`. The path is taken as it stands
//! on the wire, like the router takes it: nothing is decoded, so an escaped spelling is not media here and no route there.
//! A handler behind a captured preset sees it decoded, though, and must ask for [`Admitted`](crate::admission::Admitted).

use http::Method;

use crate::admission::Class;

/// The kinds of media, by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MediaRoute {
    File,
    Thumbnail,
    Preview,
    Poster,
    Export,
}

impl MediaRoute {
    /// Whether the body is paced by the client's line rather than by this machine.
    pub(crate) fn class(self) -> Class {
        match self {
            Self::Thumbnail | Self::Preview => Class::Light,
            Self::File | Self::Poster | Self::Export => Class::Heavy,
        }
    }
}

/// The media that `method` and `path` ask for, if they do.
pub(crate) fn classify(method: &Method, path: &str) -> Option<MediaRoute> {
    if !matches!(*method, Method::GET | Method::HEAD) {
        return None;
    }
    let rest = path.strip_prefix("/api/assets/").or_else(|| path.strip_prefix("/internal/assets/"))?;
    let (asset, rendition) = rest.split_once('/')?;
    if asset.is_empty() {
        return None;
    }
    match rendition {
        "file" => Some(MediaRoute::File),
        "thumbnail" => Some(MediaRoute::Thumbnail),
        "preview" => Some(MediaRoute::Preview),
        "poster" => Some(MediaRoute::Poster),
        _ => {
            let preset = rendition.strip_prefix("export/")?.as_bytes();
            let sound = !preset.is_empty() && preset.iter().all(|b| matches!(b, b'a'..=b'z' | b'0'..=b'9' | b'-'));
            sound.then_some(MediaRoute::Export)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(path: &str) -> Option<MediaRoute> {
        classify(&Method::GET, path)
    }

    #[test]
    fn the_five_renditions_are_media_for_people_and_services() {
        for door in ["api", "internal"] {
            for (rendition, route) in [
                ("file", MediaRoute::File),
                ("thumbnail", MediaRoute::Thumbnail),
                ("preview", MediaRoute::Preview),
                ("poster", MediaRoute::Poster),
                ("export/web-1200", MediaRoute::Export),
            ] {
                let path = format!("/{door}/assets/0193a6c8-7e0b-7000-8000-000000000001/{rendition}");
                assert_eq!(classify(&Method::GET, &path), Some(route), "{path}");
                assert_eq!(classify(&Method::HEAD, &path), Some(route), "{path}");
            }
        }
    }

    #[test]
    fn only_reading_is_media() {
        for method in [Method::POST, Method::PUT, Method::DELETE, Method::OPTIONS, Method::PATCH] {
            assert_eq!(classify(&method, "/api/assets/a/thumbnail"), None, "{method}");
        }
    }

    #[test]
    fn the_whole_path_must_match() {
        for path in [
            "",
            "/",
            "/api/health",
            "/api/assets",
            "/api/assets/a",
            "/api/assets/a/",
            "/api/assets/a/decision",
            "/api/assets/a/thumbnail/",
            "/api/assets/a/thumbnails",
            "/api/assets/a/thumbnail/more",
            "/api/assets/a/b/thumbnail",
            "/x/api/assets/a/thumbnail",
            "/API/assets/a/thumbnail",
            "/public/assets/a/thumbnail",
            "api/assets/a/thumbnail",
        ] {
            assert_eq!(get(path), None, "{path}");
        }
    }

    #[test]
    fn a_segment_is_neither_empty_nor_two() {
        for path in [
            "/api/assets//thumbnail",
            "//api/assets/a/thumbnail",
            "/api//assets/a/thumbnail",
            "/api/assets/a//thumbnail",
            "/api/assets//a/thumbnail",
        ] {
            assert_eq!(get(path), None, "{path}");
        }
    }

    #[test]
    fn escapes_are_not_decoded() {
        assert_eq!(get("/api/assets/a%2Fb/thumbnail"), Some(MediaRoute::Thumbnail));
        assert_eq!(get("/api/assets/%C3%BC/file"), Some(MediaRoute::File));
        for path in ["/api/assets/a/thumbnai%6c", "/api/assets/a%2Fthumbnail", "/%61pi/assets/a/thumbnail"] {
            assert_eq!(get(path), None, "{path}");
        }
    }

    #[test]
    fn a_preset_is_lower_case_letters_digits_and_hyphens() {
        for path in ["export/p", "export/3", "export/-", "export/square-512"] {
            assert_eq!(get(&format!("/api/assets/a/{path}")), Some(MediaRoute::Export), "{path}");
        }
        for path in
            ["export", "export/", "export/P", "export/a_b", "export/%61", "export/a/b", "export/a.zip", "export/ü"]
        {
            assert_eq!(get(&format!("/api/assets/a/{path}")), None, "{path}");
        }
    }
}
