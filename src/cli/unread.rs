//! Notices that the reader of standard output has gone while nothing is written.

/// Calls `tell` on a thread of its own once the reader of standard output has closed it: only the next answer would
/// notice that otherwise, and a search may take hours to its answer. Where the system does not tell, never.
#[cfg(unix)]
pub fn once_unread(tell: impl FnOnce() + Send + 'static) {
    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;

    let wait = || {
        let output = std::io::stdout();
        loop {
            // Without a flag only errors and hang-ups are waited for.
            let mut watched = [PollFd::new(output.as_fd(), PollFlags::empty())];
            match poll(&mut watched, PollTimeout::NONE) {
                Err(Errno::EINTR) => {}
                Err(_) => return false,
                Ok(_) => {
                    let gone = PollFlags::POLLERR | PollFlags::POLLHUP;
                    return watched[0].revents().is_some_and(|events| events.intersects(gone));
                }
            }
        }
    };
    // Without a thread the next answer notices it.
    let _ = std::thread::Builder::new().spawn(move || {
        if wait() {
            tell();
        }
    });
}

#[cfg(not(unix))]
pub fn once_unread(_: impl FnOnce() + Send + 'static) {}
