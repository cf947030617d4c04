//! The plainest client there is: one request, one connection, no chunks.

use serde_json::Value as Json;
use std::io::{Read, Write};
use std::net::TcpStream;

/// What came back.
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Status line and headers.
    pub head: String,
    /// The rest.
    pub body: String,
}

/// Sends a request, as in `GET / HTTP/1.0`, and reads the answer until the other end closes it or it is as
/// long as it says.
pub fn send(address: &str, what: &str, headers: &[&str], body: &[u8]) -> Reply {
    let mut stream = write(address, what, headers, body);
    let mut bytes = Vec::new();
    let mut part = [0; 4096];
    // Who is refused while it still sends may find the connection reset behind the answer.
    while let Ok(length @ 1..) = stream.read(&mut part) {
        bytes.extend_from_slice(&part[..length]);
        if is_whole(&bytes) {
            break;
        }
    }
    let text = String::from_utf8(bytes).unwrap();
    let (head, body) =
        text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{what}: no answer but {text:?}"));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Reply { status: status.expect("a status"), head: head.to_owned(), body: body.to_owned() }
}

/// Sends a request and gives the connection on which the answer will come.
pub fn write(address: &str, what: &str, headers: &[&str], body: &[u8]) -> TcpStream {
    let mut stream = TcpStream::connect(address).unwrap();
    let mut request = format!("{what}\r\nContent-Length: {}\r\n", body.len());
    for header in headers {
        request += &format!("{header}\r\n");
    }
    request += "\r\n";
    let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.write_all(body));
    stream
}

/// Whether as much has come as the head says there is.
fn is_whole(bytes: &[u8]) -> bool {
    let Some(end) = bytes.windows(4).position(|four| four == b"\r\n\r\n") else { return false };
    let head = String::from_utf8_lossy(&bytes[..end]).to_ascii_lowercase();
    let length =
        head.lines().find_map(|line| line.strip_prefix("content-length:")?.trim().parse::<usize>().ok());
    length.is_some_and(|length| bytes.len() >= end + 4 + length)
}

impl Reply {
    /// The body as an object.
    pub fn json(&self) -> Json {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The body as an object a line.
    pub fn lines(&self) -> Vec<Json> {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The kind of a refusal.
    pub fn kind(&self) -> String {
        self.json()["kind"].as_str().unwrap_or_default().to_owned()
    }
}
