//! The page: its files, compiled into the program.

use super::lines::Body;
use http_body_util::{Either, Full};
use hyper::Response;
use hyper::body::Bytes;
use hyper::header::{CACHE_CONTROL, CONTENT_TYPE, HeaderValue};

/// A file of the page.
pub struct Asset {
    path: &'static str,
    content_type: &'static str,
    text: &'static str,
}

macro_rules! scripts {
    ($($name:literal),* $(,)?) => {
        [$(Asset {
            path: concat!("/", $name),
            content_type: "text/javascript; charset=utf-8",
            text: include_str!(concat!("page/", $name)),
        }),*]
    };
}

static PAGE: [Asset; 3] = [
    Asset { path: "/", content_type: "text/html; charset=utf-8", text: include_str!("page/index.html") },
    Asset {
        path: "/style.css",
        content_type: "text/css; charset=utf-8",
        text: include_str!("page/style.css"),
    },
    Asset { path: "/icon.svg", content_type: "image/svg+xml", text: include_str!("page/icon.svg") },
];

static SCRIPTS: [Asset; 18] = scripts![
    "analysis.js",
    "api.js",
    "board.js",
    "computers.js",
    "files.js",
    "game.js",
    "graph.js",
    "keys.js",
    "link.js",
    "main.js",
    "newgame.js",
    "seats.js",
    "settings.js",
    "setup.js",
    "statistics.js",
    "tabs.js",
    "values.js",
    "words.js",
];

impl Asset {
    /// The file at a path.
    pub fn at(path: &str) -> Option<&'static Asset> {
        PAGE.iter().chain(&SCRIPTS).find(|asset| asset.path == path)
    }

    /// The file as an answer.
    pub fn response(&self) -> Response<Body> {
        let mut response = Response::new(Either::Left(Full::new(Bytes::from_static(self.text.as_bytes()))));
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(self.content_type));
        // Not cached: the page belongs to the program that serves it, and changes with it.
        response.headers_mut().insert(CACHE_CONTROL, HeaderValue::from_static("no-cache"));
        response
    }
}
