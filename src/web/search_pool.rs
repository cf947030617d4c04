//! The search pool: how many run at once, how long, with how much memory, and what is kept between them.

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
/// Requests that may wait for a slot; more are refused at once.
const MOST_WAITING: usize = 100;
/// Time after which a game that waits for its turn checks again whether its connection is still open.
const RECHECK: Duration = Duration::from_millis(100);
/// Oracles that are kept for the next question.
const KEPT_ORACLES: usize = 3;

/// Limits the searches that run at once, and keeps oracles and players between them.
pub struct SearchPool {
    places: Arc<Semaphore>,
    /// Those of them in which games may be played: one is left for other questions, if there are several.
    for_games: Arc<Semaphore>,
    /// Games between players that go on at once, each with two players in memory; they take turns in their places.
    matches: Arc<Semaphore>,
    /// Requests that wait.
    waiting: AtomicUsize,
    search_time: Duration,
    /// What one oracle may use.
    for_oracles: Resources,
    /// What one player may use.
    for_players: Resources,
    kept_players: usize,
    /// Least recently asked first.
    oracles: Mutex<Vec<KeptOracle>>,
    /// Players that have no move to find at the moment, longest idle first.
    idle: Mutex<Vec<(String, Box<dyn Player>)>>,
}

/// An oracle, and what it is for.
type KeptOracle = ((Geometry, Rules), Arc<Oracle>);

/// A slot of the pool, and until when it may be used.
pub struct SearchSlot {
    permit: Option<OwnedSemaphorePermit>,
    /// Ends the search.
    pub stop: Stop,
}

impl SearchPool {
    /// A pool for as many searches as the settings say.
    pub fn new(settings: &Settings) -> SearchPool {
        let searches = settings.searches.max(1);
        // Each search may hold an oracle, others are kept, and the last part is for the players: two of each of the
        // games, one of each search, and as many that are idle.
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

    /// The time limit of a search for which `asked` is requested.
    pub fn search_time(&self, asked: Option<Duration>) -> Duration {
        asked.map_or(self.search_time, |time| time.min(self.search_time))
    }

    /// Waits for a slot, to be used for at most `time`.
    ///
    /// # Errors
    /// Others are searching, and go on searching: status 503.
    pub async fn place(&self, time: Duration) -> Result<SearchSlot, Refusal> {
        let permit = self.permit(&self.places).await?;
        Ok(SearchSlot { permit: Some(permit), stop: Stop::after(time) })
    }

    /// Waits for a place among the games, where players take turns with all others who search.
    ///
    /// # Errors
    /// As many games are going on as may be: status 503.
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

    /// Lets a player of that name do something, one that is idle or a new one. What it knew of its games
    /// is forgotten, and its random numbers follow from `seed`.
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

/// A request that waits, counted until the value is dropped.
struct Waiting<'a>(&'a AtomicUsize);

impl Waiting<'_> {
    /// `None` if too many wait.
    fn begin(waiting: &AtomicUsize) -> Option<Waiting<'_>> {
        // Made before it is compared, so that it is not counted any more where it is refused.
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

/// A place among the games, which is given up before each move to the requests that wait for it.
pub struct Turns {
    /// What a turn takes, one after the other.
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
    /// Lets all others who wait search, and waits for the next turn, or until the games are to end. For a thread that
    /// may wait.
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

/// A permit in its turn; `None` if everything is to stop before.
fn wait_for(semaphore: &Arc<Semaphore>, stop: &Stop) -> Option<OwnedSemaphorePermit> {
    if let Ok(permit) = semaphore.clone().try_acquire_owned() {
        return Some(permit);
    }
    Handle::current().block_on(async {
        // One wish all the time: a new one would be the last in the queue again.
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
    /// Does the work on a thread of its own. Its stop is set when no request waits for it any more, and it
    /// keeps its place until it has stopped.
    ///
    /// # Errors
    /// Those of the work; a panic becomes a refusal with status 500.
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

/// Does what may wait for a disk, or count for a while, where no other request waits for it.
///
/// # Errors
/// Those of the work; a panic becomes a refusal with status 500.
pub async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Refusal> + Send + 'static,
) -> Result<T, Refusal> {
    let panicked =
        |_| Err(Refusal::failed("internal", "this is a bug; please report it with what was asked"));
    spawn_blocking(work).await.unwrap_or_else(panicked)
}

/// What is kept is whole even where a thread has panicked: it is only put in and taken out.
fn unpoisoned<T>(kept: &Mutex<T>) -> MutexGuard<'_, T> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}
