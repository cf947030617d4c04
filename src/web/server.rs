//! Connections: how many there may be, and how long they may take.

use super::Settings;
use super::connections::{Answer, Connections, Patient, Peer};
use super::guard::Guard;
use super::routes::{self, Service};
use super::search_pool::SearchPool;
use hyper::body::{Body as _, Incoming};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response};
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::future::poll_fn;
use std::io;
use std::net::SocketAddr;
use std::pin::pin;
use std::sync::{Arc, Mutex};
use std::task::{Context, Poll};
use std::thread;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::runtime::Runtime;
use tokio::time::{sleep, timeout};

/// Threads that talk with clients. Long work runs on others.
const WORKERS: usize = 2;
/// Maximum number of connections. For one more, a connection that waits for its client is closed.
const MOST_CONNECTIONS: usize = 400;
/// Time for the head of a request, and between two requests on one connection.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// Time for the client to accept some of an answer.
const READER_TIME: Duration = Duration::from_secs(20);
/// Maximum bytes of a request's head, and of what is read or written at once.
const MOST_BUFFERED: usize = 32 << 10;
/// Maximum time of a connection, however busy, so that none is held for ever.
const CONNECTION_TIME: Duration = Duration::from_secs(2 * 60 * 60);
/// Pause before the next try if a connection could not be accepted: the system may be short of something.
const PAUSE: Duration = Duration::from_millis(50);

/// Why nothing is served.
#[derive(Debug)]
pub enum ServeError {
    /// The system gives too few threads or open files.
    Runtime(io::Error),
    /// It cannot listen at the address.
    Listen(io::Error),
}

/// Serves the page until the program ends. `ready` gets the address once it listens.
///
/// # Errors
/// It cannot listen there, or the system gives no threads.
pub fn serve(settings: &Settings, ready: impl FnOnce(SocketAddr)) -> Result<Infallible, ServeError> {
    let runtime = runtime().map_err(ServeError::Runtime)?;
    runtime.block_on(async {
        let listener = TcpListener::bind(settings.address).await.map_err(ServeError::Listen)?;
        let address = listener.local_addr().map_err(ServeError::Listen)?;
        let guard = Guard::new(address.ip(), &settings.hosts);
        let service = Arc::new(Service { guard, pool: Arc::new(SearchPool::new(settings)) });
        ready(address);
        Ok(accept(&listener, &service).await)
    })
}

fn runtime() -> io::Result<Runtime> {
    check_threads()?;
    tokio::runtime::Builder::new_multi_thread().worker_threads(WORKERS).enable_all().build()
}

/// Checks that the system gives enough threads: otherwise the runtime panics.
fn check_threads() -> io::Result<()> {
    let wait = Mutex::new(());
    thread::scope(|scope| {
        // No thread ends before all have started.
        let _held = wait.lock();
        (0..WORKERS)
            .try_for_each(|_| thread::Builder::new().spawn_scoped(scope, || drop(wait.lock())).map(drop))
    })
}

async fn accept(listener: &TcpListener, service: &Arc<Service>) -> Infallible {
    let connections = Arc::new(Connections::new(MOST_CONNECTIONS));
    loop {
        match listener.accept().await {
            Ok((stream, _)) => {
                connections.room().await;
                let (entered, service) = (connections.enter(), service.clone());
                tokio::spawn(async move {
                    // An error of a connection concerns only its other end, which is gone.
                    let mut talk =
                        pin!(timeout(CONNECTION_TIME, talk(stream, service, entered.peer.clone())));
                    let mut cut = pin!(entered.cut());
                    let mut is_over = |context: &mut Context| {
                        cut.as_mut().poll(context).is_ready() || talk.as_mut().poll(context).is_ready()
                    };
                    poll_fn(move |context| if is_over(context) { Poll::Ready(()) } else { Poll::Pending })
                        .await;
                });
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
}

async fn talk(stream: TcpStream, service: Arc<Service>, peer: Arc<Peer>) -> hyper::Result<()> {
    // Lines are small and should arrive at once.
    let _ = stream.set_nodelay(true);
    let stream = Patient::new(stream, peer.clone(), READER_TIME);
    let answer = service_fn(move |request| {
        let (service, peer) = (service.clone(), peer.clone());
        async move { Ok::<_, Infallible>(answer(&service, &peer, request).await) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .max_buf_size(MOST_BUFFERED)
        .serve_connection(TokioIo::new(stream), answer)
        .await
}

async fn answer(service: &Service, peer: &Arc<Peer>, mut request: Request<Incoming>) -> Response<Answer> {
    let answering = peer.answer();
    if request.body().is_end_stream() {
        peer.has_asked();
    }
    request.extensions_mut().insert(peer.clone());
    routes::answer(service, request).await.map(|body| Answer::new(body, answering))
}
