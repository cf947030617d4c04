//! The page to play and explore in a browser, and the JSON interface behind it, served from this one program.
//!
//! The service stores no games. Every request carries the whole game, so the same request has the same answer, and a
//! link that holds the game needs nothing else. `docs/api.md` describes requests and answers.
//!
//! | file | what it knows |
//! |---|---|
//! | `server` | connections: how many, how long |
//! | `connections` | which of them wait for their clients, and make room for others |
//! | `guard` | which requests are refused: foreign hosts, other pages, oversized bodies |
//! | `routes` | which path is answered by what |
//! | `refusal` | why a request gets no answer: status, kind and words |
//! | `object` | objects in requests, which a list must not stand for |
//! | `game` | a game as JSON, in and out |
//! | `search_pool` | how many searches run at once, how long, with how much memory; what is kept between them |
//! | `lines` | an answer that is sent line by line as it is found, and what ends it |
//! | `answers` | the questions that have one answer |
//! | `values` | the values of all moves, and of all positions of a game, as they are found |
//! | `players` | who can play a game |
//! | `games` | games between two players, one after the other |
//! | `assets` | the page itself, compiled in |

mod answers;
mod assets;
mod connections;
mod game;
mod games;
mod guard;
mod lines;
mod object;
mod players;
mod refusal;
mod routes;
mod search_pool;
mod server;
mod values;

pub use server::{ServeError, serve};

use reversi_engine::Resources;
use std::net::SocketAddr;
use std::time::Duration;

/// How the page is served.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where it listens; port 0 is any free one.
    pub address: SocketAddr,
    /// Names besides `localhost` and the address itself under which the page may be requested.
    pub hosts: Vec<String>,
    /// Maximum number of searches that run at once, at least 1; others wait.
    pub searches: usize,
    /// Maximum time of one search.
    pub search_time: Duration,
    /// Memory of all searches together, threads of one search, and where tables and weights are.
    pub resources: Resources,
}
