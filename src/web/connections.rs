//! Keeps track of the connections and of which of them wait for their clients, so that clients that neither send nor
//! read cannot shut others out.
//!
//! An open connection costs an idle client nothing. So when the maximum number of connections is reached, the one that
//! has waited for its client the longest is closed for the next one. A connection whose question is being answered is
//! never closed for another.

use super::lines::Body;
use hyper::body::{Body as HttpBody, Bytes, Frame, SizeHint};
use std::convert::Infallible;
use std::io;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, ready};
use std::time::{Duration, Instant};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::sync::Notify;
use tokio::time::{Sleep, sleep};

/// Pause before the next check, if every connection is being answered.
const PAUSE: Duration = Duration::from_millis(20);

/// The open connections.
pub struct Connections {
    most: usize,
    peers: Mutex<Vec<Arc<Peer>>>,
}

impl Connections {
    /// Allows at most `most` connections.
    pub fn new(most: usize) -> Connections {
        Connections { most, peers: Mutex::new(Vec::new()) }
    }

    /// Makes room for one more, if necessary by closing one that waits for its client.
    pub async fn room(&self) {
        while !self.has_room() {
            sleep(PAUSE).await;
        }
    }

    fn has_room(&self) -> bool {
        let mut peers = self.peers();
        if peers.len() < self.most {
            return true;
        }
        let waits = peers.iter().enumerate().filter_map(|(place, peer)| Some((peer.waits_since()?, place)));
        let Some((_, place)) = waits.min() else { return false };
        peers.swap_remove(place).cut.notify_one();
        true
    }

    /// One more connection; it is counted until the value is dropped.
    pub fn enter(self: &Arc<Connections>) -> Entered {
        let peer = Arc::new(Peer::new());
        self.peers().push(peer.clone());
        Entered { connections: self.clone(), peer }
    }

    fn peers(&self) -> MutexGuard<'_, Vec<Arc<Peer>>> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection that counts towards the maximum.
pub struct Entered {
    connections: Arc<Connections>,
    /// Its state.
    pub peer: Arc<Peer>,
}

impl Entered {
    /// Waits until it has to be closed for another one.
    pub async fn cut(&self) {
        self.peer.cut.notified().await;
    }
}

impl Drop for Entered {
    fn drop(&mut self) {
        self.connections.peers().retain(|peer| !Arc::ptr_eq(peer, &self.peer));
    }
}

/// Since when a connection waits for its client, in milliseconds since it was accepted, from 1 on; 0 if it does not
/// wait.
pub struct Peer {
    accepted: Instant,
    /// Waiting for a request: its head or its body.
    for_request: AtomicU64,
    /// Waiting for the client to read.
    for_reader: AtomicU64,
    cut: Notify,
}

impl Peer {
    fn new() -> Peer {
        Peer {
            accepted: Instant::now(),
            for_request: AtomicU64::new(1),
            for_reader: AtomicU64::new(0),
            cut: Notify::new(),
        }
    }

    fn now(&self) -> u64 {
        self.accepted.elapsed().as_millis() as u64 + 1
    }

    /// Since when it waits; `None` while its request is being answered.
    fn waits_since(&self) -> Option<Instant> {
        let since = [&self.for_request, &self.for_reader].map(|since| since.load(Ordering::Relaxed));
        let first = since.into_iter().filter(|&since| since > 0).min()?;
        Some(self.accepted + Duration::from_millis(first - 1))
    }

    /// Call when the request has arrived as a whole.
    pub fn has_asked(&self) {
        self.for_request.store(0, Ordering::Relaxed);
    }

    /// Call when the head of a request has arrived. The answer ends when the value is dropped.
    pub fn answer(self: &Arc<Peer>) -> Answering {
        Answering(self.clone())
    }

    fn reads(&self, is_reading: bool) {
        let since = if is_reading { 0 } else { self.now() };
        if is_reading != (self.for_reader.load(Ordering::Relaxed) == 0) {
            self.for_reader.store(since, Ordering::Relaxed);
        }
    }
}

/// A request is being answered; then the connection waits for the next one.
pub struct Answering(Arc<Peer>);

impl Drop for Answering {
    fn drop(&mut self) {
        self.0.for_request.store(self.0.now(), Ordering::Relaxed);
    }
}

/// The body of an answer, which is being sent until the body is dropped.
pub struct Answer {
    body: Body,
    _answering: Answering,
}

impl Answer {
    /// The body of the answer to the request that is being answered.
    pub fn new(body: Body, answering: Answering) -> Answer {
        Answer { body, _answering: answering }
    }
}

impl HttpBody for Answer {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        let frame = ready!(Pin::new(&mut self.get_mut().body).poll_frame(context));
        // Neither kind of body fails.
        Poll::Ready(frame.map(|frame| frame.map_err(|_| unreachable!("a body in memory does not fail"))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A stream whose writes fail if the other end accepts nothing for this long.
pub struct Patient<S> {
    stream: S,
    peer: Arc<Peer>,
    patience: Duration,
    /// Runs while the other end accepts nothing.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<S> Patient<S> {
    /// Waits at most this long for the other end to accept something.
    pub fn new(stream: S, peer: Arc<Peer>, patience: Duration) -> Patient<S> {
        Patient { stream, peer, patience, deadline: None }
    }

    /// The result of a write, or an error if it has been tried for too long.
    fn in_time<T>(&mut self, context: &mut Context<'_>, written: Poll<io::Result<T>>) -> Poll<io::Result<T>> {
        self.peer.reads(written.is_ready());
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let deadline = self.deadline.get_or_insert_with(|| Box::pin(sleep(self.patience)));
        ready!(deadline.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Patient<S> {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_read(context, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Patient<S> {
    fn poll_write(self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write(context, bytes);
        this.in_time(context, written)
    }

    fn poll_write_vectored(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let this = self.get_mut();
        let written = Pin::new(&mut this.stream).poll_write_vectored(context, parts);
        this.in_time(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_flush(context)
    }

    fn poll_shutdown(self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.get_mut().stream).poll_shutdown(context)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_has_waited_for_its_client_the_longest_makes_room() {
        let connections = Arc::new(Connections::new(3));
        let entered: Vec<Entered> = (0..3)
            .map(|_| {
                std::thread::sleep(Duration::from_millis(2));
                connections.enter()
            })
            .collect();
        entered[0].peer.has_asked();
        assert!(connections.has_room());
        let left = connections.peers().clone();
        assert_eq!(left.len(), 2);
        assert!(left.iter().any(|peer| Arc::ptr_eq(peer, &entered[0].peer)), "it is being answered");
        assert!(left.iter().any(|peer| Arc::ptr_eq(peer, &entered[2].peer)), "it came later");
    }

    #[test]
    fn who_is_being_answered_is_not_closed_for_another() {
        let connections = Arc::new(Connections::new(1));
        let entered = connections.enter();
        let answering = entered.peer.answer();
        entered.peer.has_asked();
        assert!(!connections.has_room());
        entered.peer.reads(false);
        assert!(connections.has_room(), "it waits for its client to read");
        drop(answering);
        assert_eq!(connections.peers().len(), 0);
        drop(entered);
        assert!(connections.has_room());
    }

    /// Never accepts anything.
    struct Stuck;

    impl AsyncWrite for Stuck {
        fn poll_write(self: Pin<&mut Self>, _: &mut Context<'_>, _: &[u8]) -> Poll<io::Result<usize>> {
            Poll::Pending
        }

        fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Pending
        }

        fn poll_shutdown(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
            Poll::Pending
        }
    }

    #[test]
    fn a_client_that_does_not_read_is_not_waited_for() {
        let peer = Arc::new(Peer::new());
        peer.has_asked();
        let mut stream = Patient::new(Stuck, peer.clone(), Duration::from_millis(20));
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let written = runtime
            .block_on(std::future::poll_fn(|context| Pin::new(&mut stream).poll_write(context, b"answer")));
        assert_eq!(written.unwrap_err().kind(), io::ErrorKind::TimedOut);
        assert!(peer.waits_since().is_some());
    }
}
