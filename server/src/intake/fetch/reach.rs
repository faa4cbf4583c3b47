//! Where a request may go: to the public internet, and to hosts of one's own network that are named.
//!
//! A name is checked by what it resolves to, in the resolver that the connection itself is made by: nothing can be
//! answered differently between the check and the connection. An address that is written out resolves to nothing, so it
//! is checked as it stands.

use std::{
    net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr},
    str::FromStr,
};

use reqwest::{
    Url,
    dns::{Addrs, Name, Resolve, Resolving},
};
use tokio::net::lookup_host;

use super::error::FetchError;

/// A host of one's own network that may be fetched from; without a port, on any.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct InsideHost {
    host: String,
    port: Option<u16>,
}

/// A text that names no host.
#[derive(Debug, thiserror::Error)]
#[error("is not a list of hosts such as files.internal or 10.0.0.7:8080")]
pub(crate) struct NotAHost;

impl FromStr for InsideHost {
    type Err = NotAHost;

    fn from_str(text: &str) -> Result<Self, NotAHost> {
        let url: Url = format!("http://{text}/").parse().map_err(|_| NotAHost)?;
        let bare = url.path() == "/" && url.query().is_none() && url.fragment().is_none();
        match url.host_str() {
            Some(host) if bare && url.username().is_empty() && url.password().is_none() => {
                // The port that goes without saying is not kept by the address.
                let port = url.port().or_else(|| text.ends_with(":80").then_some(80));
                Ok(Self { host: host.to_owned(), port })
            }
            _ => Err(NotAHost),
        }
    }
}

/// Where requests may go.
#[derive(Debug)]
pub(super) struct Reach {
    inside: Vec<InsideHost>,
}

impl Reach {
    pub(super) fn new(inside: Vec<InsideHost>) -> Self {
        Self { inside }
    }

    /// Whether an address may be asked, as far as the address alone says.
    pub(super) fn check(&self, url: &Url) -> Result<(), FetchError> {
        let (Some(host), "http" | "https") = (url.host_str(), url.scheme()) else {
            return Err(FetchError::NotAnAddress);
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(FetchError::Credentials);
        }
        let mut named = self.inside.iter().filter(|inside| inside.host == host).peekable();
        let inside = FetchError::Inside { host: host.to_owned() };
        if named.peek().is_some() {
            // The resolver does not know of ports: a host that is named for one port is out of reach on all others.
            let port = url.port_or_known_default();
            return if named.any(|inside| inside.port.is_none() || inside.port == port) { Ok(()) } else { Err(inside) };
        }
        let written_out = host.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>();
        if written_out.is_ok_and(|address| !is_public(address)) { Err(inside) } else { Ok(()) }
    }

    fn names(&self, host: &str) -> bool {
        self.inside.iter().any(|inside| inside.host == host)
    }
}

impl Resolve for Reach {
    fn resolve(&self, name: Name) -> Resolving {
        let host = name.as_str().to_owned();
        let named = self.names(&host);
        Box::pin(async move {
            let found = lookup_host((host.as_str(), 0)).await.map(Iterator::collect::<Vec<SocketAddr>>);
            let Ok(found) = found else { return Err(FetchError::Unknown { host }.into()) };
            let reached: Vec<_> = found.into_iter().filter(|found| named || is_public(found.ip())).collect();
            if reached.is_empty() {
                return Err(FetchError::Inside { host }.into());
            }
            Ok(Box::new(reached.into_iter()) as Addrs)
        })
    }
}

/// Whether an address is somebody's on the public internet. Forms that carry an IPv4 address within IPv6 (mapped,
/// translated, 6to4, Teredo) are not: they could lead anywhere.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    !matches!(
        address.octets(),
        // This network, private, shared with a carrier, this host, this link.
        [0 | 10 | 127, ..] | [100, 64..=127, ..] | [169, 254, ..] | [172, 16..=31, ..] | [192, 168, ..]
        // Set apart: for protocols, for documents, for 6to4, for measuring.
        | [192, 0, 0 | 2, _] | [192, 88, 99, _] | [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _]
        // Multicast, and what comes after.
        | [224..=255, ..]
    )
}

/// Of IPv6 only 2000::/3 has been given out; unique-local, link-local, loopback and multicast lie outside of it.
fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // Teredo and other protocols, documents, 6to4, documents again.
        [0x2001, 0..=0x1ff, ..] | [0x2001, 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(inside: &[&str], url: &str) -> Result<(), FetchError> {
        let inside = inside.iter().map(|host| host.parse().unwrap()).collect();
        Reach::new(inside).check(&url.parse().unwrap())
    }

    #[test]
    fn only_addresses_of_the_public_internet_are_public() {
        for inside in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "127.255.255.254",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.8",
            "192.168.1.1",
            "198.19.0.1",
            "203.0.113.5",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::ffff:127.0.0.1",
            "::ffff:8.8.8.8",
            "::127.0.0.1",
            "64:ff9b::7f00:1",
            "64:ff9b:1::1",
            "2002:7f00:1::",
            "2001::1",
            "2001:db8::1",
            "3fff::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "ff02::1",
        ] {
            assert!(!is_public(inside.parse().unwrap()), "{inside}");
        }
        for public in ["1.1.1.1", "8.8.8.8", "100.63.255.255", "172.32.0.1", "2606:4700::1111", "2a00:1450::1"] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
    }

    #[test]
    fn an_address_that_is_written_out_is_seen_through_in_all_its_spellings() {
        for url in [
            "http://127.0.0.1/",
            "http://127.1/",
            "http://0x7f.0.0.1/",
            "http://2130706433/",
            "http://017700000001/",
            "http://[::1]/",
            "http://[::ffff:127.0.0.1]/",
            "http://[::ffff:7f00:1]/",
            "https://169.254.169.254/latest",
        ] {
            assert!(matches!(check(&[], url), Err(FetchError::Inside { .. })), "{url}");
        }
        assert_eq!(check(&[], "https://8.8.8.8/a.png"), Ok(()));
    }

    #[test]
    fn only_http_without_credentials_is_asked() {
        for url in ["ftp://example.org/a.png", "file:///etc/passwd", "data:image/png;base64,", "gopher://example.org/"]
        {
            assert_eq!(check(&[], url), Err(FetchError::NotAnAddress), "{url}");
        }
        assert_eq!(check(&[], "https://ada:secret@example.org/"), Err(FetchError::Credentials));
        assert_eq!(check(&[], "https://ada@example.org/"), Err(FetchError::Credentials));
    }

    #[test]
    fn a_named_host_is_reached_on_the_ports_that_are_named() {
        let named = ["10.0.0.7:8080", "files.internal", "[fd00::1]:80"];
        for url in
            ["http://10.0.0.7:8080/a", "https://files.internal/a", "http://files.internal:9/", "http://[fd00::1]/"]
        {
            assert_eq!(check(&named, url), Ok(()), "{url}");
        }
        for url in ["http://10.0.0.7/", "http://10.0.0.7:8081/", "http://[fd00::1]:81/", "http://10.0.0.8:8080/"] {
            assert!(matches!(check(&named, url), Err(FetchError::Inside { .. })), "{url}");
        }
    }

    #[test]
    fn what_names_no_host_is_no_host() {
        for text in ["", "http://a", "a/b", "a:b", "a@b", "a?b", "a#b", "a:99999", "a b"] {
            assert!(text.parse::<InsideHost>().is_err(), "{text}");
        }
    }

    #[tokio::test]
    async fn a_name_that_leads_inside_is_refused_where_it_is_resolved() {
        let resolve = async |inside: &[&str]| {
            let inside = inside.iter().map(|host| host.parse().unwrap()).collect();
            Reach::new(inside).resolve("localhost".parse().unwrap()).await.map(Iterator::count)
        };
        let refused = resolve(&[]).await.unwrap_err();
        assert_eq!(refused.downcast_ref::<FetchError>(), Some(&FetchError::Inside { host: "localhost".to_owned() }));
        assert!(resolve(&["localhost:1234"]).await.unwrap() > 0);
    }
}
