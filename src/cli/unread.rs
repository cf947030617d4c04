//! Notices that the reader of standard output has gone, even if nothing is written.

/// Calls `tell` on a thread of its own once the reader of standard output has closed it. Otherwise only the next answer
/// would notice that, and a search may take hours. If the system does not report it, `tell` is never called.
#[cfg(unix)]
pub fn once_unread(tell: impl FnOnce() + Send + 'static) {
    use nix::errno::Errno;
    use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
    use std::os::fd::AsFd;

    let wait = || {
        let output = std::io::stdout();
        loop {
            // Without a flag only errors and hang-ups are reported.
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
