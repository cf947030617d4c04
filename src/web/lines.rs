//! Bodies of answers: whole ones, and those that are sent line by line as results are found.

use http_body_util::{Either, Full};
use hyper::body::{Body as HttpBody, Bytes, Frame};
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};
use hyper::{Response, StatusCode};
use reversi_solver::search::Stop;
use serde_json::{Value as Json, json};
use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Instant;
use tokio::sync::mpsc;

/// The body of any answer.
pub type Body = Either<Full<Bytes>, Lines>;

/// Maximum number of lines that wait for a reader. A reader that falls further behind has stopped reading.
const MOST_WAITING: usize = 4096;

/// Stops a search when it is dropped. Everything that belongs to a request is dropped when its sender goes away.
pub struct StopOnDrop(pub Stop);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// The reading end: a body of one JSON object a line.
pub struct Lines {
    receiver: mpsc::Receiver<Bytes>,
    _stop: StopOnDrop,
}

/// The writing end, for the thread that searches.
pub struct Sender {
    sender: mpsc::Sender<Bytes>,
    stop: Stop,
}

/// A body, and the sender of its lines. The search that `stop` belongs to ends when the body is dropped, and when its
/// lines are not read.
pub fn lines(stop: Stop) -> (Sender, Lines) {
    let (sender, receiver) = mpsc::channel(MOST_WAITING);
    (Sender { sender, stop: stop.clone() }, Lines { receiver, _stop: StopOnDrop(stop) })
}

impl Sender {
    /// Sends a line without ever waiting.
    pub fn send(&self, object: &Json) {
        if self.sender.try_send(Bytes::from(format!("{object}\n"))).is_err() {
            self.stop.set();
        }
    }

    /// Sends the last line: whether everything requested was sent, and the fault that prevented it.
    pub fn end(&self, result: Result<(), Json>, stop: &Stop, started: Instant) {
        let complete = result.is_ok() && !stop.is_set();
        let mut line =
            json!({"type": "end", "complete": complete, "seconds": started.elapsed().as_secs_f64()});
        if let Err(fault) = result {
            line["error"] = fault;
        }
        self.send(&line);
    }
}

impl HttpBody for Lines {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.get_mut().receiver.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}

/// An object as a whole answer.
pub fn json_response(status: StatusCode, object: &Json) -> Response<Body> {
    let body = Either::Left(Full::new(Bytes::from(format!("{object}\n"))));
    with_type(status, "application/json", body)
}

/// Lines as an answer that is sent over time.
pub fn lines_response(lines: Lines) -> Response<Body> {
    with_type(StatusCode::OK, "application/x-ndjson", Either::Right(lines))
}

fn with_type(status: StatusCode, content_type: &'static str, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
