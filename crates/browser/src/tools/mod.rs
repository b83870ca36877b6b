//! The browser tools, one file a family. A tool is a struct with one
//! definition; registering it here is all it takes to exist everywhere.

mod acting;
mod extension;
mod navigation;
mod pictures;
mod reading;
mod screen;
mod tabs;
mod waiting;

use std::sync::Arc;

use outrigger_dispatch::Catalogue;

use crate::browsers::Browsers;
use crate::desk::Desk;

/// Registers every browser tool, in the order clients list them.
pub fn register(catalogue: &mut Catalogue, desk: &Arc<Desk>) {
    catalogue.register(navigation::Navigate(desk.clone()));
    catalogue.register(navigation::GoBack(desk.clone()));
    catalogue.register(navigation::GoForward(desk.clone()));
    catalogue.register(reading::Snapshot(desk.clone()));
    catalogue.register(reading::Find(desk.clone()));
    catalogue.register(acting::Click(desk.clone()));
    catalogue.register(acting::Type(desk.clone()));
    catalogue.register(acting::PressKey(desk.clone()));
    catalogue.register(pictures::TakeScreenshot(desk.clone()));
    catalogue.register(tabs::Tabs(desk.clone()));
    catalogue.register(waiting::Wait(desk.clone()));
    catalogue.register(screen::CaptureScreen(desk.clone()));
    catalogue.register(screen::ExtractDom(desk.clone()));
    catalogue.register(screen::ListTabs(desk.clone()));
}

/// Makes the dynamic tools those that the linked extensions bring along.
pub fn register_extensions(catalogue: &Catalogue, desk: &Arc<Desk>, browsers: &Browsers) {
    catalogue.replace_dynamic(extension::tools(desk, browsers));
}
