//! The search pool: how many searches run at once, how long, with how much memory, and what is kept between them.

use super::Settings;
use super::lines::StopOnDrop;
use super::refusal::Refusal;
use hyper::StatusCode;
use reversi_engine::{Player, PlayerSpec, Resources};
use reversi_rules::{Geometry, Rules};
use reversi_solver::oracle::Oracle;
use reversi_solver::search::Stop;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::spawn_blocking;
use tokio::time::timeout;

/// How long a search waits for others to end.
const PATIENCE: Duration = Duration::from_secs(30);
/// Maximum number of requests that wait for a slot; more are refused at once.
const MOST_WAITING: usize = 100;
/// Time after which a game that waits for its turn checks again whether its connection is still open.
const RECHECK: Duration = Duration::from_millis(100);
/// Number of oracles that are kept for the next question.
const KEPT_ORACLES: usize = 3;

/// Limits the searches that run at once, and keeps oracles and players between them.
pub struct SearchPool {
    places: Arc<Semaphore>,
    /// Those of them in which games may be played: if there are several, one is left for other questions.
    for_games: Arc<Semaphore>,
    /// Limits the matches that run at once, each with two players in memory; they take turns in the places for games.
    matches: Arc<Semaphore>,
    /// Number of requests that wait.
    waiting: AtomicUsize,
    search_time: Duration,
    /// Resources of one oracle.
    for_oracles: Resources,
    /// Resources of one player.
    for_players: Resources,
    kept_players: usize,
    /// The least recently asked first.
    oracles: Mutex<Vec<KeptOracle>>,
    /// Players that have no move to find at the moment, the longest idle first.
    idle: Mutex<Vec<(String, Box<dyn Player>)>>,
}

/// An oracle, and what it is for.
type KeptOracle = ((Geometry, Rules), Arc<Oracle>);

/// A slot of the pool, with the time until which it may be used.
pub struct SearchSlot {
    permit: Option<OwnedSemaphorePermit>,
    /// Ends the search.
    pub stop: Stop,
}

impl SearchPool {
    /// A pool for as many searches as the settings say.
    pub fn new(settings: &Settings) -> SearchPool {
        let searches = settings.searches.max(1);
        // Each search may hold an oracle, and others are kept. The last part is for the players: two for each match,
        // one for each search, and as many that are idle.
        let part = settings.resources.memory_bytes / (searches + KEPT_ORACLES + 1);
        SearchPool {
            places: Arc::new(Semaphore::new(searches)),
            for_games: Arc::new(Semaphore::new((searches - 1).max(1))),
            matches: Arc::new(Semaphore::new(2 * searches)),
            waiting: AtomicUsize::new(0),
            search_time: settings.search_time,
            for_oracles: Resources { memory_bytes: part, ..settings.resources.clone() },
            for_players: Resources { memory_bytes: part / (6 * searches), ..settings.resources.clone() },
            kept_players: searches,
            oracles: Mutex::new(Vec::new()),
            idle: Mutex::new(Vec::new()),
        }
    }

    /// The time limit of a search, if `asked` is the requested time.
    pub fn search_time(&self, asked: Option<Duration>) -> Duration {
        asked.map_or(self.search_time, |time| time.min(self.search_time))
    }

    /// Waits for a slot, for at most `time` of use.
    ///
    /// # Errors
    /// Other searches run and do not end: status 503.
    pub async fn place(&self, time: Duration) -> Result<SearchSlot, Refusal> {
        let permit = self.permit(&self.places).await?;
        Ok(SearchSlot { permit: Some(permit), stop: Stop::after(time) })
    }

    /// Waits for a place among the matches, whose players take turns with all other searches.
    ///
    /// # Errors
    /// The maximum number of matches is running: status 503.
    pub async fn turns(&self, time: Duration) -> Result<Turns, Refusal> {
        let one_of_the_matches = self.permit(&self.matches).await?;
        let turn = Turn { _place: self.permit(&self.places).await?, _for_games: None };
        Ok(Turns {
            places: [self.for_games.clone(), self.places.clone()],
            stop: Stop::after(time),
            turn: Some(turn),
            _one_of_the_matches: one_of_the_matches,
        })
    }

    async fn permit(&self, semaphore: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, Refusal> {
        let _waiting = Waiting::begin(&self.waiting).ok_or_else(busy)?;
        let permit = timeout(PATIENCE, semaphore.clone().acquire_owned()).await.map_err(|_| busy())?;
        Ok(permit.expect("the semaphore is never closed"))
    }

    /// A slot that does not count, for look-ups without a search.
    pub fn aside(&self, time: Duration) -> SearchSlot {
        SearchSlot { permit: None, stop: Stop::after(time) }
    }

    /// The oracle of a board, with its tables; a new one if none is kept.
    ///
    /// # Errors
    /// A table that cannot be used.
    pub fn oracle(&self, geometry: Geometry, rules: Rules) -> Result<Arc<Oracle>, Refusal> {
        let key = (geometry, rules);
        let mut oracles = unpoisoned(&self.oracles);
        if let Some(place) = oracles.iter().position(|(kept, _)| *kept == key) {
            let kept = oracles.remove(place);
            oracles.push(kept.clone());
            return Ok(kept.1);
        }
        let oracle = Arc::new(self.for_oracles.oracle(geometry, rules)?);
        if oracles.len() == KEPT_ORACLES {
            oracles.remove(0);
        }
        oracles.push((key, oracle.clone()));
        Ok(oracle)
    }

    /// Calls `work` with a player of that name, an idle one or a new one. What it knew of its games is forgotten, and
    /// its random numbers follow from `seed`.
    pub fn with_player<T>(&self, spec: &PlayerSpec, seed: u64, work: impl FnOnce(&mut dyn Player) -> T) -> T {
        let name = spec.to_string();
        let idle = {
            let mut idle = unpoisoned(&self.idle);
            let place = idle.iter().position(|(kept, _)| *kept == name);
            place.map(|place| idle.remove(place).1)
        };
        let mut player = idle.unwrap_or_else(|| spec.build(&self.for_players, seed));
        player.new_game(seed);
        let result = work(&mut *player);
        let mut idle = unpoisoned(&self.idle);
        if idle.len() == self.kept_players {
            idle.remove(0);
        }
        idle.push((name, player));
        result
    }
}

/// A request that waits; it counts until the value is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    /// `None` if too many wait.
    fn begin(waiting: &AtomicUsize) -> Option<Waiting<'_>> {
        // Made before the comparison, so that a refused request is no longer counted.
        let (before, waiting) = (waiting.fetch_add(1, Ordering::Relaxed), Waiting(waiting));
        (before < MOST_WAITING).then_some(waiting)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

fn busy() -> Refusal {
    let message = "too many searches at once; try again later";
    Refusal::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message)
}

/// A place among the matches. It is given up before each move to the requests that wait for it.
pub struct Turns {
    /// The semaphores of a turn, which are acquired one after the other.
    places: [Arc<Semaphore>; 2],
    /// Ends the games.
    pub stop: Stop,
    turn: Option<Turn>,
    _one_of_the_matches: OwnedSemaphorePermit,
}

/// The right to search for a move.
struct Turn {
    _place: OwnedSemaphorePermit,
    _for_games: Option<OwnedSemaphorePermit>,
}

impl Turns {
    /// Lets all waiting requests search, and waits for the next turn, or until the games have to end. For a thread that
    /// may block.
    pub fn next_turn(&mut self) {
        self.turn = None;
        let [for_games, places] = self.places.each_ref().map(|semaphore| wait_for(semaphore, &self.stop));
        self.turn = for_games
            .zip(places)
            .map(|(for_games, place)| Turn { _place: place, _for_games: Some(for_games) });
    }

    /// Plays on a thread of its own, for an answer that is sent while it goes on.
    pub fn begin(mut self, play: impl FnOnce(&mut Turns) + Send + 'static) {
        spawn_blocking(move || play(&mut self));
    }
}

/// Waits for a permit; `None` if everything has to stop before.
fn wait_for(semaphore: &Arc<Semaphore>, stop: &Stop) -> Option<OwnedSemaphorePermit> {
    if let Ok(permit) = semaphore.clone().try_acquire_owned() {
        return Some(permit);
    }
    Handle::current().block_on(async {
        // One future all the time: a new one would be the last in the queue again.
        let mut permit = pin!(semaphore.clone().acquire_owned());
        while !stop.is_set() {
            if let Ok(permit) = timeout(RECHECK, permit.as_mut()).await {
                return permit.ok();
            }
        }
        None
    })
}

impl SearchSlot {
    /// Does the work on a thread of its own. Its stop is set when no request waits for it any more, and it keeps its
    /// slot until it has stopped.
    ///
    /// # Errors
    /// The errors of the work; a panic becomes a refusal with status 500.
    pub async fn work<T: Send + 'static>(
        self,
        work: impl FnOnce(&Stop) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let _abandoned = StopOnDrop(self.stop.clone());
        on_a_thread(move || {
            let SearchSlot { permit, stop } = self;
            let result = work(&stop);
            drop(permit);
            result
        })
        .await
    }

    /// Does the work on a thread of its own, for an answer that is sent while it goes on.
    pub fn begin(self, work: impl FnOnce(&Stop) + Send + 'static) {
        spawn_blocking(move || {
            let SearchSlot { permit, stop } = self;
            work(&stop);
            drop(permit);
        });
    }
}

/// Does work that may wait for a disk, or compute for a while, on a thread that holds up no other request.
///
/// # Errors
/// The errors of the work; a panic becomes a refusal with status 500.
pub async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let panicked =
        |_| Err(Refusal::failed("internal", "this is a bug; please report it together with the request"));
    spawn_blocking(work).await.unwrap_or_else(panicked)
}

/// What is kept is whole even if a thread has panicked: it is only put in and taken out.
fn unpoisoned<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
