//! Whose program listens on a port of this machine. A token is shown to nobody else's:
//! another user could wait there for the hub's clients while no hub runs.

/// Whether somebody other than this user, or root, listens there. False where the
/// system doesn't tell.
#[cfg(target_os = "linux")]
pub(crate) fn is_anothers(port: u16) -> bool {
    let own = rustix::process::geteuid().as_raw();
    let tables = ["/proc/net/tcp", "/proc/net/tcp6"].map(std::fs::read_to_string);
    let listeners = tables.iter().flatten().flat_map(|table| listeners(table, port));
    listeners.into_iter().any(|uid| uid != own && uid != 0)
}

#[cfg(not(target_os = "linux"))]
pub(crate) fn is_anothers(_port: u16) -> bool {
    false
}

/// Who listens on a port, by the kernel's table of sockets: local address, state and
/// user are its second, fourth and eighth column.
#[cfg(target_os = "linux")]
fn listeners(table: &str, port: u16) -> Vec<u32> {
    const LISTENING: &str = "0A";
    let ending = format!(":{port:04X}");
    let lines = table.lines().skip(1);
    let users = lines.filter_map(|line| {
        let columns: Vec<&str> = line.split_whitespace().collect();
        let is_it = columns.get(1)?.ends_with(&ending) && *columns.get(3)? == LISTENING;
        is_it.then(|| columns.get(7)?.parse().ok()).flatten()
    });
    users.collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn a_listener_is_known_by_its_user() {
        let table = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n\
            0: 0100007F:2331 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1001 0 1 1\n\
            1: 0100007F:2331 0100007F:9999 01 00000000:00000000 00:00000000 00000000  1002 0 1 1\n\
            2: 0100007F:2332 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1003 0 1 1";
        assert_eq!(listeners(table, 0x2331), [1001]);
        assert_eq!(listeners(table, 9), Vec::<u32>::new());
        let own = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        assert!(!is_anothers(own.local_addr().unwrap().port()));
    }
}
