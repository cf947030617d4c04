//! A running `reversi serve`, and the plainest client there is.

use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The service on a free port; it ends with this value.
pub struct Server {
    program: Child,
    address: String,
    _output: BufReader<ChildStdout>,
}

/// What came back.
pub struct Reply {
    /// The status.
    pub status: u16,
    /// Status line and headers.
    pub head: String,
    /// The rest.
    pub body: String,
}

impl Server {
    /// Starts it and waits until it listens.
    pub fn start(options: &[&str]) -> Server {
        let mut program = Command::new(env!("CARGO_BIN_EXE_reversi"))
            .args(["serve", "--quiet", "--port", "0", "--memory", "64M"])
            .args(options)
            .env_remove("REVERSI_DATA")
            .current_dir(env!("CARGO_MANIFEST_DIR"))
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program is built");
        let mut output = BufReader::new(program.stdout.take().unwrap());
        let mut url = String::new();
        output.read_line(&mut url).unwrap();
        let address = url.trim().trim_start_matches("http://").trim_end_matches('/').to_owned();
        assert!(address.starts_with("127.0.0.1:"), "it says where it listens: {url:?}");
        Server { program, address, _output: output }
    }

    /// Address and port, as in the header `Host`.
    pub fn host(&self) -> &str {
        &self.address
    }

    /// Sends a request in the manner of HTTP/1.0, and reads the answer to its end.
    pub fn send(&self, what: &str, headers: &[&str], body: &[u8]) -> Reply {
        let mut stream = self.write(what, headers, body);
        let mut bytes = Vec::new();
        // Who is refused while it still sends may find the connection reset behind the answer.
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8(bytes).unwrap();
        let (head, body) =
            text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{what}: no answer but {text:?}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
        Reply { status: status.expect("a status"), head: head.to_owned(), body: body.to_owned() }
    }

    fn write(&self, what: &str, headers: &[&str], body: &[u8]) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        let mut request = format!("{what} HTTP/1.0\r\nContent-Length: {}\r\n", body.len());
        for header in headers {
            request += &format!("{header}\r\n");
        }
        request += "\r\n";
        let _ = stream.write_all(request.as_bytes()).and_then(|()| stream.write_all(body));
        stream
    }

    fn own_headers(&self) -> [String; 2] {
        [format!("Host: {}", self.address), "Content-Type: application/json".to_owned()]
    }

    /// Posts to a path under `/api/`.
    pub fn post(&self, question: &str, body: &[u8]) -> Reply {
        let headers = self.own_headers();
        self.send(&format!("POST /api/{question}"), &headers.each_ref().map(String::as_str), body)
    }

    /// Asks a question.
    pub fn ask(&self, question: &str, body: &Value) -> Reply {
        self.post(question, body.to_string().as_bytes())
    }

    /// Begins to ask, and does not wait for the answer; dropping the value hangs up.
    pub fn begin(&self, question: &str, body: &[u8]) -> HangsUp {
        let headers = self.own_headers();
        let what = format!("POST /api/{question}");
        HangsUp(self.write(&what, &headers.each_ref().map(String::as_str), body))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.program.kill();
        let _ = self.program.wait();
    }
}

/// A connection that is closed when it is dropped.
pub struct HangsUp(TcpStream);

impl Drop for HangsUp {
    fn drop(&mut self) {
        // The other end may have closed it before.
        let _ = self.0.shutdown(Shutdown::Both);
    }
}

impl Reply {
    /// The body as an object.
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {}", self.body))
    }

    /// The body as an object a line.
    pub fn lines(&self) -> Vec<Value> {
        assert_eq!(self.status, 200, "{}", self.body);
        self.body.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    /// The kind of a refusal.
    pub fn kind(&self) -> String {
        self.json()["kind"].as_str().unwrap_or_default().to_owned()
    }
}
