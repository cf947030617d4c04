//! Parallel search of one tree: young brothers wait concept (YBWC).
//!
//! The younger siblings at a null-window node are offered to idle threads only after the eldest child has been
//! searched and has not refuted: then most likely all of them must be searched anyway (Feldmann, "Spielbaumsuche mit
//! massiv parallelen Systemen", 1993). The scores do not depend on which thread searches which sibling.

use crate::search::Stop;
use crate::search::endgame::mode::Mode;
use crate::search::endgame::node::Node;
use crate::search::ordering::endgame::Candidate;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering::Relaxed, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// A split point: a node whose remaining children are shared between threads.
pub(crate) struct SplitPoint {
    /// The enclosing split point.
    parent: Option<Arc<SplitPoint>>,
    /// The search mode of the siblings.
    pub mode: Mode,
    pub node: Node,
    pub alpha: i32,
    /// The siblings in search order.
    pub siblings: Vec<Candidate>,
    next: AtomicUsize,
    /// Number of other threads that may still search a sibling.
    members: AtomicUsize,
    /// Set when a sibling has refuted: the remaining siblings need no search.
    refuted: AtomicBool,
    /// Set when the search of a sibling was abandoned.
    abandoned: AtomicBool,
    best: Mutex<(i32, u8)>,
}

impl SplitPoint {
    /// `best` is the score and square of the eldest child.
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

    /// The next sibling without a thread.
    pub fn take(&self) -> Option<Candidate> {
        if self.refuted.load(Relaxed) {
            return None;
        }
        self.siblings.get(self.next.fetch_add(1, Relaxed)).copied()
    }

    /// Records the score of a sibling.
    pub fn report(&self, score: i32, square: u8) {
        let mut best = lock(&self.best);
        if score > best.0 {
            *best = (score, square);
        }
        if score > self.alpha {
            self.refuted.store(true, Relaxed);
        }
    }

    /// Whether this split point or an enclosing one is refuted, so that its work is useless.
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

    /// Records that the search of a sibling was abandoned.
    pub fn abandon(&self) {
        self.abandoned.store(true, Relaxed);
    }

    /// Best score and square, if valid: all siblings searched, or one of them refuted.
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

/// Membership of a thread in a split point. Dropped even if the thread panics, so that no other thread waits for it
/// or takes its abandoned sibling as searched.
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

/// Ends the helper threads when dropped, even if the first thread panics.
pub(crate) struct FinishOnDrop<'a>(pub &'a SearchThreads);

impl Drop for FinishOnDrop<'_> {
    fn drop(&mut self) {
        let _open = lock(&self.0.open);
        self.0.finished.store(true, Relaxed);
        self.0.wake.notify_all();
    }
}

/// The running searches of a solver, for idle threads that want to help.
#[derive(Default)]
pub(crate) struct RunningSearches(Mutex<Vec<(Arc<SearchThreads>, Stop)>>);

impl RunningSearches {
    /// Announces a search as long as the guard lives.
    pub fn announce(&self, threads: &Arc<SearchThreads>, stop: &Stop) -> Announced<'_> {
        lock(&self.0).push((threads.clone(), stop.clone()));
        Announced(self, threads.clone())
    }

    /// The search with the fewest threads.
    pub fn neediest(&self) -> Option<(Arc<SearchThreads>, Stop)> {
        lock(&self.0).iter().min_by_key(|(threads, _)| Arc::strong_count(threads)).cloned()
    }
}

/// An announced search.
pub(crate) struct Announced<'a>(&'a RunningSearches, Arc<SearchThreads>);

impl Drop for Announced<'_> {
    fn drop(&mut self) {
        lock(&self.0.0).retain(|(threads, _)| !Arc::ptr_eq(threads, &self.1));
    }
}

/// The threads of one search and its open split points.
#[derive(Default)]
pub(crate) struct SearchThreads {
    open: Mutex<Vec<Arc<SplitPoint>>>,
    wake: Condvar,
    idle: AtomicUsize,
    finished: AtomicBool,
    /// Nodes so far; the threads add theirs in batches and at their end.
    nodes: AtomicU64,
    /// Positions visited beside the nodes, likewise.
    visited: AtomicU64,
}

impl SearchThreads {
    /// Adds nodes of a thread, and positions it visited beside them.
    pub fn add_nodes(&self, nodes: u64, visited: u64) {
        self.nodes.fetch_add(nodes, Relaxed);
        self.visited.fetch_add(visited, Relaxed);
    }

    /// Nodes reported so far.
    pub fn nodes(&self) -> u64 {
        self.nodes.load(Relaxed)
    }

    /// Nodes and visited positions reported so far.
    pub fn nodes_as_edax(&self) -> u64 {
        self.nodes() + self.visited.load(Relaxed)
    }

    /// Whether a thread is idle.
    #[inline]
    pub fn has_idle(&self) -> bool {
        self.idle.load(Relaxed) > 0
    }

    /// Offers a split point to idle threads.
    pub fn offer(&self, split: &Arc<SplitPoint>) {
        lock(&self.open).push(split.clone());
        self.wake.notify_all();
    }

    /// Closes a split point: withdraws the offer, waits until no thread works on it, and returns its outcome. While
    /// waiting the caller helps with split points inside it through `help`.
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

    /// Main loop of a helper thread: joins split points until the search ends.
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

/// Locks; a panic of the lock's holder leaves the data consistent.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
