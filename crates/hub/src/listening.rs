//! The port: opens it, takes connections on and serves HTTP on each, within
//! limits. What is served is the router's matter, made in `server.rs`.

use std::io;
use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use axum::{Extension, Router};
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
#[cfg(unix)]
use rustix::process::{Resource, getrlimit};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use crate::doorstep::{Doorstep, Metered, Stranger};

/// Connections beyond this wait: whoever follows records keeps one. Those without a
/// credential are far fewer (`doorstep.rs`), and each credential has its share
/// (`shares.rs`), so nobody can take all places.
const MAX_CONNECTIONS: usize = 4096;

/// How many may wait to be accepted. The usual 128 are full at once when hundreds
/// come, and whoever is turned away then tries again after a second.
const BACKLOG: u32 = 1024;

/// Slow headers hold a connection no longer than this.
const HEADER_LIMIT: Duration = Duration::from_secs(10);

/// Longer headers are refused (431); ours have a few hundred bytes.
const MOST_HEADER_BYTES: usize = 32 * 1024;

/// Opens a port of this machine alone. 0 takes a free one.
pub(crate) fn listen(port: u16) -> io::Result<TcpListener> {
    let socket = TcpSocket::new_v4()?;
    // So that a hub can follow on at once; on Windows it would mean that two may
    // have the port.
    #[cfg(unix)]
    socket.set_reuseaddr(true)?;
    socket.bind(SocketAddr::from((Ipv4Addr::LOCALHOST, port)))?;
    socket.listen(BACKLOG)
}

/// Takes connections on until told to stop, as many at once as there are places.
pub(crate) async fn accept(
    listener: TcpListener,
    places: usize,
    router: Router,
    shutdown: CancellationToken,
    tasks: TaskTracker,
) {
    let room = Arc::new(Semaphore::new(places));
    let doorstep = Doorstep::before(places);
    loop {
        let stream = tokio::select! {
            () = shutdown.cancelled() => return,
            accepted = listener.accept() => match accepted {
                Ok((stream, _)) => stream,
                Err(error) => {
                    // Out of descriptors, most likely: let some close.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                }
            },
        };
        // First, since it may send somebody away whose place is the only one to be had.
        let stranger = doorstep.arrive().await;
        let Ok(place) = room.clone().acquire_owned().await else { return };
        let (router, shutdown) = (router.clone(), shutdown.clone());
        tasks.spawn(async move {
            serve(stream, stranger, router, shutdown).await;
            drop(place);
        });
    }
}

/// As many as there are descriptors for, with as many left for everything else.
pub(crate) fn places() -> usize {
    #[cfg(unix)]
    if let Some(descriptors) = getrlimit(Resource::Nofile).current {
        let half = usize::try_from(descriptors / 2).unwrap_or(MAX_CONNECTIONS);
        return half.min(MAX_CONNECTIONS);
    }
    MAX_CONNECTIONS
}

async fn serve(
    stream: TcpStream,
    stranger: Arc<Stranger>,
    router: Router,
    shutdown: CancellationToken,
) {
    let _ = stream.set_nodelay(true);
    let stream = Metered::new(stream, stranger.clone());
    let service = TowerToHyperService::new(router.layer(Extension(stranger.clone())));
    let connection = hyper::server::conn::http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(HEADER_LIMIT)
        .max_header_size(MOST_HEADER_BYTES)
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades();
    let mut connection = std::pin::pin!(connection);
    let ended = tokio::select! {
        ended = connection.as_mut() => ended,
        () = stranger.sent_away() => return,
        () = async {
            tokio::select! {
                () = stranger.withdrawn() => {}
                () = shutdown.cancelled() => {}
            }
        } => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = ended {
        tracing::debug!(%error, "a connection ended badly");
    }
}
