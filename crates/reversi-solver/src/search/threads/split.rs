//! Several threads in one tree: the young siblings wait.
//!
//! Only when the eldest child of a null-window node has been searched, and did not refute, are its
//! siblings offered to idle threads: then most likely all of them must be searched anyway
//! (Feldmann, "Spielbaumsuche mit massiv parallelen Systemen", 1993). The scores do not depend on
//! who searches what.

use crate::search::Stop;
use crate::search::endgame::mode::Mode;
use crate::search::endgame::node::Node;
use crate::search::ordering::endgame::Candidate;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A node whose remaining children are shared out.
pub(crate) struct SplitPoint {
    /// The split inside which this one was made.
    parent: Option<Arc<SplitPoint>>,
    /// What is searched for.
    pub mode: Mode,
    pub node: Node,
    pub alpha: i32,
    /// In the order in which they are taken.
    pub siblings: Vec<Candidate>,
    next: AtomicUsize,
    /// Other threads that may still be at work on a sibling.
    members: AtomicUsize,
    /// A sibling refuted: the rest is not needed.
    refuted: AtomicBool,
    /// A sibling was not searched to its end.
    abandoned: AtomicBool,
    best: Mutex<(i32, u8)>,
}

impl SplitPoint {
    /// `best` is the score and square of the eldest.
    pub fn new(
        parent: Option<Arc<SplitPoint>>,
        mode: Mode,
        node: Node,
        alpha: i32,
        siblings: Vec<Candidate>,
        best: (i32, u8),
    ) -> SplitPoint {
        SplitPoint {
            parent,
            mode,
            node,
            alpha,
            siblings,
            next: AtomicUsize::new(0),
            members: AtomicUsize::new(0),
            refuted: AtomicBool::new(false),
            abandoned: AtomicBool::new(false),
            best: Mutex::new(best),
        }
    }

    /// The next sibling nobody has taken.
    pub fn take(&self) -> Option<Candidate> {
        if self.refuted.load(Relaxed) {
            return None;
        }
        self.siblings.get(self.next.fetch_add(1, Relaxed)).copied()
    }

    /// Notes a sibling's score.
    pub fn report(&self, score: i32, square: u8) {
        let mut best = lock(&self.best);
        if score > best.0 {
            *best = (score, square);
        }
        if score > self.alpha {
            self.refuted.store(true, Relaxed);
        }
    }

    /// Whether the work on this split is in vain, because it or one around it is refuted.
    pub fn is_refuted(&self) -> bool {
        let mut split = Some(self);
        while let Some(here) = split {
            if here.refuted.load(Relaxed) {
                return true;
            }
            split = here.parent.as_deref();
        }
        false
    }

    /// Notes that a sibling was begun and not finished.
    pub fn abandon(&self) {
        self.abandoned.store(true, Relaxed);
    }

    /// Best score and square, if they stand: all siblings searched, or one of them refuted.
    fn outcome(&self) -> Option<(i32, u8)> {
        (self.refuted.load(Relaxed) || !self.abandoned.load(Relaxed)).then(|| *lock(&self.best))
    }

    fn is_inside(&self, other: &Arc<SplitPoint>) -> bool {
        let mut split = self.parent.as_ref();
        while let Some(here) = split {
            if Arc::ptr_eq(here, other) {
                return true;
            }
            split = here.parent.as_ref();
        }
        false
    }

    fn has_work(&self) -> bool {
        self.next.load(Relaxed) < self.siblings.len() && !self.is_refuted()
    }
}

/// A thread's membership of a split; ends with it, even if the thread panics, so that nobody waits for it or takes
/// what it had begun for done.
struct Member(Arc<SplitPoint>);

impl Member {
    fn of(split: &Arc<SplitPoint>) -> Member {
        split.members.fetch_add(1, SeqCst);
        Member(split.clone())
    }
}

impl Drop for Member {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.abandon();
        }
        self.0.members.fetch_sub(1, SeqCst);
    }
}

/// Sends the helping threads home when it goes out of scope, even if the first thread panics.
pub(crate) struct Finish<'a>(pub &'a SearchThreads);

impl Drop for Finish<'_> {
    fn drop(&mut self) {
        let _open = lock(&self.0.open);
        self.0.finished.store(true, Relaxed);
        self.0.wake.notify_all();
    }
}

/// The searches under way with one solver, for threads that have nothing else to do.
#[derive(Default)]
pub(crate) struct RunningSearches(Mutex<Vec<(Arc<SearchThreads>, Stop)>>);

impl RunningSearches {
    /// Lets others find a search while the guard lives.
    pub fn announce(&self, threads: &Arc<SearchThreads>, stop: &Stop) -> Announced<'_> {
        lock(&self.0).push((threads.clone(), stop.clone()));
        Announced(self, threads.clone())
    }

    /// The search with the fewest threads.
    pub fn neediest(&self) -> Option<(Arc<SearchThreads>, Stop)> {
        lock(&self.0).iter().min_by_key(|(threads, _)| Arc::strong_count(threads)).cloned()
    }
}

/// A search that others may help with.
pub(crate) struct Announced<'a>(&'a RunningSearches, Arc<SearchThreads>);

impl Drop for Announced<'_> {
    fn drop(&mut self) {
        lock(&self.0.0).retain(|(threads, _)| !Arc::ptr_eq(threads, &self.1));
    }
}

/// The threads of one search and the splits they may join.
#[derive(Default)]
pub(crate) struct SearchThreads {
    open: Mutex<Vec<Arc<SplitPoint>>>,
    wake: Condvar,
    idle: AtomicUsize,
    finished: AtomicBool,
    /// Positions looked at so far, as the threads tell of them now and then and at their end.
    nodes: AtomicU64,
}

impl SearchThreads {
    /// Counts positions that a thread has looked at.
    pub fn add_nodes(&self, nodes: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
    }

    /// Positions that the threads have told of.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Whether a split would find somebody to share it.
    #[inline]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Offers a split to idle threads.
    pub fn offer(&self, split: &Arc<SplitPoint>) {
        lock(&self.open).push(split.clone());
        self.wake.notify_all();
    }

    /// Takes the split back, waits until nobody is at work on it, and gives its outcome. Meanwhile the
    /// caller lends a hand inside it through `help`.
    pub fn close(
        &self,
        split: &Arc<SplitPoint>,
        mut help: impl FnMut(&Arc<SplitPoint>),
    ) -> Option<(i32, u8)> {
        lock(&self.open).retain(|open| !Arc::ptr_eq(open, split));
        self.idle.fetch_add(1, Relaxed);
        while split.members.load(SeqCst) > 0 {
            let inner =
                lock(&self.open).iter().find(|open| open.has_work() && open.is_inside(split)).map(Member::of);
            match inner {
                Some(member) => {
                    self.idle.fetch_sub(1, Relaxed);
                    help(&member.0);
                    self.idle.fetch_add(1, Relaxed);
                }
                None => std::thread::yield_now(),
            }
        }
        self.idle.fetch_sub(1, Relaxed);
        split.outcome()
    }

    /// The life of a helping thread: joins splits until the search is finished.
    pub fn serve(&self, mut help: impl FnMut(&Arc<SplitPoint>)) {
        self.idle.fetch_add(1, Relaxed);
        while let Some(member) = self.wait_for_split() {
            self.idle.fetch_sub(1, Relaxed);
            help(&member.0);
            drop(member);
            self.idle.fetch_add(1, Relaxed);
        }
    }

    fn wait_for_split(&self) -> Option<Member> {
        let mut open = lock(&self.open);
        loop {
            if self.finished.load(Relaxed) {
                return None;
            }
            if let Some(split) = open.iter().find(|split| split.has_work()) {
                return Some(Member::of(split));
            }
            open = self.wake.wait(open).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Locks; a thread that died holding the lock left nothing half done.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
