//! Connections: how many there may be and how long they may take.

use super::Settings;
use super::guard::Guard;
use super::routes::{self, Service};
use super::search_pool::SearchPool;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use std::convert::Infallible;
use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::Semaphore;
use tokio::time::{sleep, timeout};

/// Connections at once; more of them wait in the system's queue.
const MOST_CONNECTIONS: usize = 400;
/// For the head of a request, and between two requests on one connection.
const HEAD_TIME: Duration = Duration::from_secs(15);
/// Of a connection, however busy, so that none is held for ever.
const CONNECTION_TIME: Duration = Duration::from_secs(2 * 60 * 60);
/// Before the next try, when a connection could not be accepted: the system may be short of something.
const PAUSE: Duration = Duration::from_millis(50);

/// Serves the page until the program ends. `ready` gets the address once it listens.
///
/// # Errors
/// It cannot listen there, or the system gives no threads.
pub fn serve(settings: &Settings, ready: impl FnOnce(SocketAddr)) -> io::Result<Infallible> {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(settings.address).await?;
        let address = listener.local_addr()?;
        let guard = Guard::new(address.ip(), &settings.hosts);
        let service = Arc::new(Service { guard, pool: Arc::new(SearchPool::new(settings)) });
        ready(address);
        Ok(accept(&listener, &service).await)
    })
}

async fn accept(listener: &TcpListener, service: &Arc<Service>) -> Infallible {
    let connections = Arc::new(Semaphore::new(MOST_CONNECTIONS));
    loop {
        let place = connections.clone().acquire_owned().await.expect("the semaphore is never closed");
        match listener.accept().await {
            Ok((stream, _)) => {
                let service = service.clone();
                tokio::spawn(async move {
                    let _place = place;
                    // What goes wrong with a connection concerns only its other end, which is gone.
                    let _ = timeout(CONNECTION_TIME, talk(stream, service)).await;
                });
            }
            Err(_) => sleep(PAUSE).await,
        }
    }
}

async fn talk(stream: TcpStream, service: Arc<Service>) -> hyper::Result<()> {
    // Lines are small and are to arrive at once.
    let _ = stream.set_nodelay(true);
    let answer = service_fn(move |request| {
        let service = service.clone();
        async move { Ok::<_, Infallible>(routes::answer(&service, request).await) }
    });
    http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEAD_TIME)
        .serve_connection(TokioIo::new(stream), answer)
        .await
}
