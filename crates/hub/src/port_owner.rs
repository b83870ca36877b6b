//! Whose program listens on a port of this machine. A token is shown to nobody else's:
//! another user could wait there for the hub's clients while no hub runs.

#[cfg(target_os = "linux")]
use std::io::{BufRead, BufReader};

/// Whether somebody other than this user, or root, listens there. False where the
/// system doesn't tell.
#[cfg(target_os = "linux")]
pub(crate) fn is_anothers(port: u16) -> bool {
    let own = rustix::process::geteuid().as_raw();
    listener(port).is_some_and(|uid| uid != own && uid != 0)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_anothers(_port: u16) -> bool {
    false
}

/// Who gets a connection to a port of 127.0.0.1. One socket does; it may be of IPv6,
/// where there is none of IPv4.
#[cfg(target_os = "linux")]
fn listener(port: u16) -> Option<u32> {
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"];
    // The kernel writes as much as is asked for, listeners first. All of it takes
    // milliseconds, since it looks through every place a connection could have.
    const LINES: usize = 256;
    let found = tables.iter().filter_map(|table| {
        let table = std::fs::File::open(table).ok()?;
        listed(BufReader::with_capacity(LINES, table), port)
    });
    found.into_iter().next()
}

/// Who listens on a port, by the kernel's table of sockets: local address, state and
/// user are its second, fourth and eighth column. What listens at other addresses of
/// this machine alone is not meant.
#[cfg(target_os = "linux")]
fn listed(table: impl BufRead, port: u16) -> Option<u32> {
    const LISTENING: &str = "0A";
    const ADDRESSES: [&str; 4] = [
        "0100007F",
        "00000000",
        "00000000000000000000000000000000",
        "0000000000000000FFFF00000100007F",
    ];
    let local = ADDRESSES.map(|address| format!("{address}:{port:04X}"));
    let lines = table.lines().skip(1).map_while(Result::ok);
    let mut listeners = lines.map_while(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let (at, state, user) = (columns.get(1)?, columns.get(3)?, columns.get(7)?);
        (*state == LISTENING).then(|| (local.iter().any(|local| local == at), user.parse().ok()))
    });
    listeners.find_map(|(is_it, user)| is_it.then_some(user)?)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_listener_is_known_by_its_user() {
        let table: &[u8] =
            b"  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n\
            0: 0200007F:2331 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000 0 1 1\n\
            0: 0100007F:2331 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001 0 1 1\n\
            1: 0100007F:2332 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1003 0 1 1\n\
            2: 0100007F:2333 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1002 0 1 1";
        assert_eq!(listed(table, 0x2331), Some(1001));
        assert_eq!(listed(table, 0x2332), Some(1003));
        assert_eq!(listed(table, 0x2333), None);
        let own = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let port = own.local_addr().unwrap().port();
        assert_eq!(listener(port), Some(rustix::process::geteuid().as_raw()));
        let everywhere = std::net::TcpListener::bind("[::]:0").unwrap();
        assert!(listener(everywhere.local_addr().unwrap().port()).is_some());
        assert!(!is_anothers(port));
    }
}
