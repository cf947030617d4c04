//! Decides which requests are refused unread: those for another host, and those sent by another page.
//!
//! A browser lets any page send requests to this machine. Two headers that no page can forge tell them apart. `Host`
//! names the server that the browser believes it is talking to; for a page that rebinds its own name to 127.0.0.1 that
//! is the page's name. `Origin` names the page. In addition only JSON is accepted. A browser does not let another page
//! send JSON without asking here first, and the answer is no.

use super::refusal::Refusal;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use hyper::body::{Body as _, Bytes, Incoming};
use hyper::header::{CONTENT_TYPE, HOST, HeaderMap, ORIGIN};
use hyper::{Request, StatusCode};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::timeout;

/// Maximum bytes of a request's body: a game on 24x24 has a tenth of it.
pub const MOST_BYTES: usize = 64 << 10;
/// Time for the body to arrive.
const BODY_TIME: Duration = Duration::from_secs(10);

/// Knows the names of this service.
pub struct Guard {
    bound: IpAddr,
    names: Vec<String>,
}

impl Guard {
    /// For a service that listens at `bound` and may be called by `names`.
    pub fn new(bound: IpAddr, names: &[String]) -> Guard {
        Guard { bound, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Accepts a request that is meant for this service and was not sent by another page.
    ///
    /// # Errors
    /// The refusal, with status 403.
    pub fn check(&self, headers: &HeaderMap) -> Result<(), Refusal> {
        let host = the_only(headers, HOST.as_str());
        let host = host.filter(|host| self.is_own(name_of(host)));
        let Some(host) = host else {
            let message =
                "this service does not accept that host name; start it with --allow-host NAME to allow it";
            return Err(Refusal::new(StatusCode::FORBIDDEN, "foreign-host", message));
        };
        if headers.contains_key(ORIGIN) {
            let origin = the_only(headers, ORIGIN.as_str());
            let own =
                origin.and_then(|origin| origin.split_once("://")).is_some_and(|(_, page)| page == host);
            if !own {
                return Err(cross_site());
            }
        }
        Ok(())
    }

    fn is_own(&self, name: &str) -> bool {
        let name = name.to_ascii_lowercase();
        match name.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>() {
            // A page cannot use an address that is not its own, so any address on which this listens is accepted.
            Ok(address) => address == self.bound || address.is_loopback() || self.bound.is_unspecified(),
            Err(_) => name == "localhost" || self.names.contains(&name),
        }
    }
}

/// Accepts a request for data unless the browser says that another page sent it.
///
/// # Errors
/// The refusal, with status 403.
pub fn check_fetch(headers: &HeaderMap) -> Result<(), Refusal> {
    match headers.get("sec-fetch-site").map(|site| site.as_bytes()) {
        None | Some(b"same-origin" | b"none") => Ok(()),
        Some(_) => Err(cross_site()),
    }
}

fn cross_site() -> Refusal {
    Refusal::new(StatusCode::FORBIDDEN, "cross-site", "requests from other pages are not answered")
}

/// The value of a header that occurs exactly once.
fn the_only<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    let mut values = headers.get_all(name).iter();
    let value = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(value)
}

/// `127.0.0.1:8000` and `[::1]:8000` without their port.
fn name_of(host: &str) -> &str {
    match host.rsplit_once(':') {
        Some((name, port)) if port.bytes().all(|byte| byte.is_ascii_digit()) && !name.ends_with(':') => name,
        _ => host,
    }
}

/// Reads the body of a request, which must be JSON, not too long, and arrive in time.
///
/// # Errors
/// The refusal, with status 415, 413, 408 or 400.
pub async fn read_body(request: Request<Incoming>) -> Result<Bytes, Refusal> {
    let content_type =
        request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let is_json = content_type
        .split(';')
        .next()
        .is_some_and(|kind| kind.trim().eq_ignore_ascii_case("application/json"));
    if !is_json {
        let message = "send JSON, with the header \"Content-Type: application/json\"";
        return Err(Refusal::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "not-json", message));
    }
    if request.body().size_hint().lower() > MOST_BYTES as u64 {
        return Err(too_long());
    }
    let body = Limited::new(request.into_body(), MOST_BYTES).collect();
    match timeout(BODY_TIME, body).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(error)) if error.is::<LengthLimitError>() => Err(too_long()),
        Ok(Err(error)) => Err(Refusal::bad("bad-request", format!("the body cannot be read: {error}"))),
        Err(_) => Err(Refusal::new(StatusCode::REQUEST_TIMEOUT, "slow", "the body did not arrive in time")),
    }
}

/// Accepts a text of a request that is short enough to be read in a moment. `key` is its name in the request, `length`
/// and `most` are bytes.
///
/// # Errors
/// The refusal, with status 413.
pub fn check_length(key: &str, length: usize, most: usize) -> Result<(), Refusal> {
    match length > most {
        true => Err(exceeds(format!("\"{key}\" has at most {most} bytes, not {length}"))),
        false => Ok(()),
    }
}

fn too_long() -> Refusal {
    exceeds(format!("a request has at most {MOST_BYTES} bytes"))
}

fn exceeds(message: String) -> Refusal {
    Refusal::new(StatusCode::PAYLOAD_TOO_LARGE, "too-long", message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use hyper::header::HeaderValue;

    fn passes(bound: &str, host: &str, origin: Option<&str>) -> bool {
        let guard = Guard::new(bound.parse().unwrap(), &["board.lan".to_owned()]);
        let mut headers = HeaderMap::new();
        headers.insert(HOST, HeaderValue::from_str(host).unwrap());
        if let Some(origin) = origin {
            headers.insert(ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        guard.check(&headers).is_ok()
    }

    #[test]
    fn only_its_own_names_are_answered() {
        for host in ["127.0.0.1:8000", "localhost", "LOCALHOST:80", "[::1]:8000", "[::1]", "board.lan:1"] {
            assert!(passes("127.0.0.1", host, None), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example:8000",
            "192.168.0.1",
            "",
            ":8000",
            "127.0.0.1.evil.example",
        ] {
            assert!(!passes("127.0.0.1", host, None), "{host}");
        }
        assert!(passes("0.0.0.0", "192.168.0.1:8000", None));
        assert!(!passes("0.0.0.0", "evil.example", None));
    }

    #[test]
    fn a_host_is_named_once() {
        let guard = Guard::new("127.0.0.1".parse().unwrap(), &[]);
        let mut headers = HeaderMap::new();
        assert!(guard.check(&headers).is_err(), "not at all");
        headers.append(HOST, HeaderValue::from_static("localhost"));
        assert!(guard.check(&headers).is_ok());
        headers.append(HOST, HeaderValue::from_static("evil.example"));
        assert!(guard.check(&headers).is_err(), "twice");
    }

    #[test]
    fn only_its_own_page_is_answered() {
        assert!(passes("127.0.0.1", "localhost:8000", Some("http://localhost:8000")));
        for origin in ["http://localhost:8001", "http://evil.example", "null", "localhost:8000", ""] {
            assert!(!passes("127.0.0.1", "localhost:8000", Some(origin)), "{origin}");
        }
    }

    #[test]
    fn data_is_only_for_the_page_itself_and_for_programs() {
        let site = |site| {
            HeaderMap::from_iter([("sec-fetch-site".parse().unwrap(), HeaderValue::from_static(site))])
        };
        assert!(check_fetch(&HeaderMap::new()).is_ok());
        assert!(check_fetch(&site("same-origin")).is_ok() && check_fetch(&site("none")).is_ok());
        assert!(check_fetch(&site("cross-site")).is_err() && check_fetch(&site("same-site")).is_err());
    }
}
