//! A headless Chromium, driven through chromedriver by the W3C WebDriver protocol.

use super::http::{self, Reply};
use serde_json::{Value as Json, json};
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How long a page may take to do what it is expected to do: machines may be busy.
const PATIENCE: Duration = Duration::from_secs(90);

/// One browser at a time, for they take much of a machine.
static TURN: Mutex<()> = Mutex::new(());

/// A browser with one window; it ends with this value.
pub struct Browser {
    driver: Child,
    address: String,
    session: String,
    _output: BufReader<ChildStdout>,
    /// Where the browser keeps what it would leave behind in the system's directory of temporary files.
    _temporary: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// Opens a browser; `None` where there is no chromedriver, which is said on stderr.
    ///
    /// # Panics
    ///
    /// Without a chromedriver where `CI` is set: there no test of the page may pass without a browser. With one whose
    /// browser does not start.
    pub fn open(width: u32, height: u32) -> Option<Browser> {
        let turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
        let temporary = tempfile::tempdir().expect("a place for temporary files");
        let started = Command::new("chromedriver")
            .arg("--port=0")
            .env("TMPDIR", temporary.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let Ok(mut driver) = started else {
            without_a_driver();
            return None;
        };
        let mut output = BufReader::new(driver.stdout.take().unwrap());
        let port = read_port(&mut output);
        let address = format!("127.0.0.1:{port}");
        let session = String::new();
        let mut browser =
            Browser { driver, address, session, _output: output, _temporary: temporary, _turn: turn };
        browser.session = browser.begin_session(width, height);
        Some(browser)
    }

    fn begin_session(&self, width: u32, height: u32) -> String {
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--hide-scrollbars",
        ];
        let capabilities = json!({
            "browserName": "chrome",
            "goog:chromeOptions": {"args": arguments},
            "timeouts": {"script": PATIENCE.as_millis() as u64},
        });
        let answer = self.call("POST", "/session", &json!({"capabilities": {"alwaysMatch": capabilities}}));
        let session = format!("/session/{}", answer["sessionId"].as_str().expect("a session"));
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        let command = json!({"cmd": "Emulation.setDeviceMetricsOverride", "params": metrics});
        self.call("POST", &format!("{session}/goog/cdp/execute"), &command);
        session
    }

    fn call(&self, method: &str, path: &str, body: &Json) -> Json {
        let headers = ["Host: localhost", "Content-Type: application/json"];
        let body = if method == "POST" { body.to_string() } else { String::new() };
        let reply: Reply =
            http::send(&self.address, &format!("{method} {path} HTTP/1.1"), &headers, body.as_bytes());
        assert_eq!(reply.status, 200, "{method} {path} {body}: {}", reply.body);
        reply.json()["value"].clone()
    }

    fn post(&self, command: &str, body: &Json) -> Json {
        self.call("POST", &format!("{}/{command}", self.session), body)
    }

    /// Opens an address and waits until the page is ready.
    pub fn go(&self, url: &str) {
        // Another fragment alone would not load the page anew.
        self.post("url", &json!({"url": "about:blank"}));
        self.post("url", &json!({"url": url}));
        self.wait("the page", "return document.documentElement.dataset.ready === 'yes'");
    }

    /// Goes back to what was in the address before.
    pub fn back(&self) {
        self.post("back", &json!({}));
    }

    /// Runs a script in the page and gives what it returns.
    pub fn run(&self, script: &str) -> Json {
        self.post("execute/sync", &json!({"script": script, "args": []}))
    }

    /// What a script returns, as text.
    pub fn text(&self, script: &str) -> String {
        let value = self.run(script);
        value.as_str().unwrap_or_else(|| panic!("{script}: {value}")).to_owned()
    }

    /// Waits until a script returns true.
    pub fn wait(&self, what: &str, script: &str) {
        let started = Instant::now();
        while self.run(script) != json!(true) {
            let shown = "return document.body?.innerText ?? ''";
            assert!(started.elapsed() < PATIENCE, "{what} is waited for too long:\n{}", self.text(shown));
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn element(&self, selector: &str) -> String {
        let found = self.post("element", &json!({"using": "css selector", "value": selector}));
        let id = found.as_object().and_then(|object| object.values().next()).and_then(Json::as_str);
        id.unwrap_or_else(|| panic!("{selector}: {found}")).to_owned()
    }

    /// Clicks as a mouse does: the element must be in sight, and nothing may cover it.
    pub fn click(&self, selector: &str) {
        let element = self.element(selector);
        self.post(&format!("element/{element}/click"), &json!({}));
    }

    /// Types into an element.
    pub fn type_into(&self, selector: &str, text: &str) {
        let element = self.element(selector);
        self.post(&format!("element/{element}/value"), &json!({"text": text}));
    }

    /// Presses keys, one after the other, wherever the focus is.
    pub fn press(&self, keys: &[&str]) {
        let actions: Vec<Json> = keys
            .iter()
            .flat_map(|key| ["keyDown", "keyUp"].map(|kind| json!({"type": kind, "value": key})))
            .collect();
        self.post("actions", &json!({"actions": [{"type": "key", "id": "keyboard", "actions": actions}]}));
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.call("DELETE", &self.session, &Json::Null);
        }
        // The driver ends the browsers that are left.
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

/// Says that a test is skipped, or fails it where `CI` is set.
fn without_a_driver() {
    let missing = "there is no chromedriver here (Debian: apt-get install chromium chromium-driver)";
    assert!(std::env::var_os("CI").is_none(), "{missing}, and CI is set");
    let test = std::thread::current();
    // Not by a macro: what those print is only shown of tests that fail.
    let _ = writeln!(std::io::stderr(), "SKIPPED {}: {missing}", test.name().unwrap_or_default());
}

/// From "ChromeDriver was started successfully on port 39999."
fn read_port(output: &mut impl BufRead) -> u16 {
    let mut line = String::new();
    while output.read_line(&mut line).expect("chromedriver says where it listens") > 0 {
        if let Some((_, port)) = line.split_once("successfully on port ") {
            return port.trim().trim_end_matches('.').parse().expect("a port");
        }
        line.clear();
    }
    panic!("chromedriver ended before it listened");
}
