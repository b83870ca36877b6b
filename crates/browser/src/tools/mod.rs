//! The browser tools, one file a family. A tool is a struct with one
//! definition; registering it here is all it takes to exist everywhere.

mod access;
mod acting;
mod aftermath;
mod asking;
mod compat;
mod cookies;
mod diagnostics;
mod dialogs;
mod downloads;
mod dragging;
mod elements;
mod emulation;
mod entries;
mod evaluating;
mod extension;
mod forms;
mod human;
mod keys;
mod navigation;
mod network;
mod page_tools;
mod pictures;
mod pointing;
mod reading;
mod screen;
mod scrolling;
mod sequences;
mod storage;
mod tabs;
mod text;
mod typing;
mod upload;
mod value;
mod vitals;
mod waiting;
mod watching;
mod words;

use std::sync::Arc;

use outrigger_dispatch::Catalogue;

use crate::browsers::Browsers;
use crate::desk::Desk;

use asking::Ask;
use compat::{Also, Mode, TabReadAs};

/// Registers every browser tool, in the order clients list them.
pub fn register(catalogue: &mut Catalogue, desk: &Arc<Desk>) {
    catalogue.register(navigation::Navigate(desk.clone()));
    catalogue.register(navigation::GoBack(desk.clone()));
    catalogue.register(reading::Snapshot(desk.clone()));
    catalogue.register(reading::Find(desk.clone()));
    catalogue.register(pointing::Click(desk.clone()));
    catalogue.register(typing::Type(desk.clone()));
    catalogue.register(forms::FillForm(desk.clone()));
    catalogue.register(forms::SelectOption(desk.clone()));
    catalogue.register(keys::PressKey(desk.clone()));
    catalogue.register(pointing::Hover(desk.clone()));
    catalogue.register(dragging::Drag(desk.clone()));
    catalogue.register(scrolling::Scroll(desk.clone()));
    catalogue.register(dialogs::HandleDialog(desk.clone()));
    catalogue.register(pictures::TakeScreenshot(desk.clone()));
    catalogue.register(tabs::Tabs(desk.clone()));
    catalogue.register(waiting::Wait(desk.clone()));
    catalogue.register(upload::Upload(desk.clone()));
    catalogue.register(human::AskHuman(desk.clone()));
    catalogue.register(evaluating::Evaluate(desk.clone()));
    register_reading(catalogue, desk);
    register_behind(catalogue, desk);
    register_other_names(catalogue, desk);
}

/// What is read less often, and listed only on request.
fn register_reading(catalogue: &mut Catalogue, desk: &Arc<Desk>) {
    catalogue.register(text::GetVisibleText(desk.clone()));
    catalogue.register(value::GetValue(desk.clone()));
    catalogue.register(Ask::<elements::QueryDom>::new(desk));
    catalogue.register(Ask::<elements::GetComputedStyles>::new(desk));
    catalogue.register(Ask::<elements::CheckVisibility>::new(desk));
    catalogue.register(Ask::<elements::GetAttributes>::new(desk));
    catalogue.register(Ask::<elements::CountElements>::new(desk));
    catalogue.register(text::GetPageMetadata(desk.clone()));
    catalogue.register(text::GetFilteredAriaTree(desk.clone()));
    catalogue.register(Ask::<elements::FindByText>::new(desk));
    catalogue.register(Ask::<elements::GetFormValues>::new(desk));
    catalogue.register(Ask::<elements::CheckElementState>::new(desk));
    catalogue.register(pictures::PrintPdf(desk.clone()));
    catalogue.register(navigation::GoForward(desk.clone()));
    catalogue.register(navigation::Reload(desk.clone()));
    catalogue.register(downloads::Downloads(desk.clone()));
    catalogue.register(diagnostics::GetConsoleLogs(desk.clone()));
    catalogue.register(network::Network(desk.clone()));
    catalogue.register(access::RequestAccess(desk.clone()));
    catalogue.register(watching::WatchUser(desk.clone()));
}

/// What lies behind a page: what it keeps, how it fared, what it takes itself to run on.
fn register_behind(catalogue: &mut Catalogue, desk: &Arc<Desk>) {
    catalogue.register(cookies::Cookies(desk.clone()));
    catalogue.register(storage::Storage(desk.clone()));
    catalogue.register(vitals::Vitals(desk.clone()));
    catalogue.register(emulation::Resize(desk.clone()));
    catalogue.register(emulation::Emulate(desk.clone()));
    catalogue.register(page_tools::PageTools(desk.clone()));
}

/// Names and shapes that clients of other systems know.
fn register_other_names(catalogue: &mut Catalogue, desk: &Arc<Desk>) {
    catalogue.register(Also::new("navigate", navigation::Navigate(desk.clone())));
    catalogue.register(Also::new("click", pointing::Click(desk.clone())));
    catalogue.register(compat::TypeIntoFocus(desk.clone()));
    catalogue.register_sequence(sequences::TabsCreate);
    catalogue.register_sequence(sequences::GetTabs);
    catalogue.register_sequence(sequences::TabAction);
    catalogue.register(Also::new("tab_click", pointing::Click(desk.clone())));
    catalogue.register(Also::new("tab_type", typing::Type(desk.clone())));
    catalogue.register(Also::new("tab_scroll", scrolling::Scroll(desk.clone())));
    catalogue.register(compat::ReadPage(desk.clone()));
    catalogue.register(Also::new("get_page_text", text::GetVisibleText(desk.clone())));
    catalogue.register(Also::new("find", reading::Find(desk.clone())));
    catalogue.register(compat::TabRead(desk.clone()));
    catalogue.register(TabReadAs::new(desk, "tab_info", Mode::Info));
    catalogue.register(TabReadAs::new(desk, "tab_read_dom", Mode::Dom));
    catalogue.register(TabReadAs::new(desk, "tab_screenshot", Mode::Screenshot));
    catalogue.register(screen::CaptureScreen(desk.clone()));
    catalogue.register(screen::ExtractDom(desk.clone()));
    catalogue.register(screen::ListTabs(desk.clone()));
    catalogue.register(Also::new("capture_screen", screen::CaptureScreen(desk.clone())));
    catalogue.register(screen::AnalyzeScreenshot(desk.clone()));
    catalogue.register(Also::new("extract_page", screen::ExtractDom(desk.clone())));
    catalogue.register(Also::new("list_tabs", screen::ListTabs(desk.clone())));
}

/// Makes the dynamic tools those that the linked extensions bring along.
pub fn register_extensions(catalogue: &Catalogue, desk: &Arc<Desk>, browsers: &Browsers) {
    catalogue.replace_dynamic(extension::tools(desk, browsers));
}
