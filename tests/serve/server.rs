//! A running `reversi serve`.

use super::http::{self, Reply};
use serde_json::Value as Json;
use std::io::{BufRead, BufReader};
use std::net::{Shutdown, TcpStream};
use std::process::{Child, ChildStdout, Command, Stdio};

/// The service on a free port; it ends with this value.
pub struct Server {
    program: Child,
    address: String,
    _output: BufReader<ChildStdout>,
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

    /// Sends a request, and reads the answer to its end.
    pub fn send(&self, what: &str, headers: &[&str], body: &[u8]) -> Reply {
        http::send(&self.address, &format!("{what} HTTP/1.0"), headers, body)
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
    pub fn ask(&self, question: &str, body: &Json) -> Reply {
        self.post(question, body.to_string().as_bytes())
    }

    /// Begins to ask, and does not wait for the answer; dropping the value hangs up.
    pub fn begin(&self, question: &str, body: &[u8]) -> HangsUp {
        let headers = self.own_headers();
        let what = format!("POST /api/{question} HTTP/1.0");
        HangsUp(http::write(&self.address, &what, &headers.each_ref().map(String::as_str), body))
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
