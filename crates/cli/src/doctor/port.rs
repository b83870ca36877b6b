//! Is the port ours, or free to be?

use std::net::Ipv4Addr;

use tokio::net::TcpListener;

use super::{Finding, Patient, Verdict};

pub(crate) async fn check(patient: &Patient<'_>) -> Finding {
    let port = patient.settings.port;
    let verdict = if patient.status.is_ok() {
        Verdict::Fine(format!("{port} is the hub's"))
    } else {
        match TcpListener::bind((Ipv4Addr::LOCALHOST, port)).await {
            Ok(_) => Verdict::Fine(format!("{port} is free")),
            Err(error) => Verdict::Broken {
                what: format!("{port} can't be used: {error}"),
                fix: "end what listens there, or set OUTRIGGER_PORT to another port".to_owned(),
            },
        }
    };
    Finding { name: "port", verdict }
}
