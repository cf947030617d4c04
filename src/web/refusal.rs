//! The reason why a request gets no answer, as its sender sees it.

use super::lines::{Body, json_response};
use crate::advice::Advice;
use crate::json;
use hyper::{Response, StatusCode};
use reversi_engine::PlayerError;
use reversi_solver::oracle::OracleError;

const OUT_OF_TIME: &str = "out-of-time";

/// A request that is refused, or an answer that could not be found.
#[derive(Debug)]
pub struct Refusal {
    status: StatusCode,
    kind: &'static str,
    message: String,
}

impl Refusal {
    /// `kind` is the stable word of the JSON error object.
    pub fn new(status: StatusCode, kind: &'static str, message: impl Into<String>) -> Refusal {
        Refusal { status, kind, message: message.into() }
    }

    /// Wrong input: status 400.
    pub fn bad(kind: &'static str, message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::BAD_REQUEST, kind, message.to_string())
    }

    /// The time for a search was not enough: status 503.
    pub fn out_of_time() -> Refusal {
        let message = "the search did not end in time; give it more with \"time\", up to the limit of `reversi serve --search-time`";
        Refusal::new(StatusCode::SERVICE_UNAVAILABLE, OUT_OF_TIME, message)
    }

    /// Whether the time for a search was not enough.
    pub fn is_out_of_time(&self) -> bool {
        self.kind == OUT_OF_TIME
    }

    /// An error that the sender cannot help: status 500.
    pub fn failed(kind: &'static str, message: impl ToString) -> Refusal {
        Refusal::new(StatusCode::INTERNAL_SERVER_ERROR, kind, message.to_string())
    }

    /// The object of the schema `reversi.error/1`.
    pub fn json(&self) -> serde_json::Value {
        json::error(self.kind, &self.message)
    }

    /// The whole answer.
    pub fn into_response(self) -> Response<Body> {
        json_response(self.status, &self.json())
    }
}

impl From<OracleError> for Refusal {
    fn from(error: OracleError) -> Refusal {
        match error {
            OracleError::Stopped => Refusal::out_of_time(),
            _ => Refusal::failed(error.kind(), error.with_advice()),
        }
    }
}

impl From<PlayerError> for Refusal {
    fn from(error: PlayerError) -> Refusal {
        match error {
            PlayerError::GameOver | PlayerError::Unsupported { .. } => Refusal::bad(error.kind(), error),
            PlayerError::OutOfTime { .. } => Refusal::out_of_time(),
            PlayerError::Failed { .. } | PlayerError::NoMemory { .. } | PlayerError::Resigned { .. } => {
                Refusal::failed(error.kind(), error)
            }
        }
    }
}
