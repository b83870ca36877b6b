//! Steps of a batch that make an element ready, each in the document it is in and
//! only for the origin that the call was authorized for.

use std::sync::PoisonError;

use outrigger_guard::Origin;
use outrigger_protocol::capabilities::{
    BatchStep, ElementArgs, Frames, PageFunction, Purpose, ScriptParams, ScrollArgs, Scrolling,
};
use outrigger_protocol::filling::InsertParams;
use serde::Serialize;
use serde_json::Value;

use crate::page::{Page, step};
use crate::target::Pointed;

impl Page<'_> {
    /// A step that runs a function of the page script on one element.
    pub fn element_step(&self, function: PageFunction, target: &Pointed, clear: bool) -> BatchStep {
        self.element_script(function, target, ElementArgs { clear, ..self.element_args(target) })
    }

    /// A step that makes a field ready for text.
    pub fn focus_step(&self, target: &Pointed, clear: bool) -> BatchStep {
        self.element_script(PageFunction::FocusForText, target, self.field_args(target, clear))
    }

    /// A step that makes a field ready and puts text into it.
    pub fn insert_step(&self, target: &Pointed, clear: bool, text: &str) -> BatchStep {
        let params = InsertParams {
            tab_id: self.tab,
            document_id: target.element.document.clone(),
            field: self.field_args(target, clear),
            text: text.to_owned(),
        };
        step("insert", params)
    }

    fn field_args(&self, target: &Pointed, clear: bool) -> ElementArgs {
        let walk = self.view().ok().and_then(|view| {
            view.lock().unwrap_or_else(PoisonError::into_inner).walk_of(&target.element.document)
        });
        ElementArgs { clear, walk, ..self.element_args(target) }
    }

    /// A step that makes an element ready for the pointer.
    pub fn prepare_step(&self, target: &Pointed, purpose: Purpose) -> BatchStep {
        let args = ElementArgs { purpose: Some(purpose), ..self.element_args(target) };
        self.element_script(PageFunction::Prepare, target, self.with_labels(target, args))
    }

    /// The same for what something is dropped on, in a document of that site.
    pub fn drop_step(&self, target: &Pointed, origin: &Origin, purpose: Purpose) -> BatchStep {
        let args = ElementArgs {
            purpose: Some(purpose),
            origin: origin.to_string(),
            ..self.element_args(target)
        };
        self.element_script(PageFunction::Prepare, target, self.with_labels(target, args))
    }

    /// With what the agent knows of labels and the page script does not.
    fn with_labels(&self, target: &Pointed, args: ElementArgs) -> ElementArgs {
        let Ok(view) = self.view() else { return args };
        let labels = &mut view.lock().unwrap_or_else(PoisonError::into_inner).labels;
        let untold = labels.untold_in(&target.element.document);
        ElementArgs { untold, told_name: labels.take_found(&target.element), ..args }
    }

    fn element_args(&self, target: &Pointed) -> ElementArgs {
        ElementArgs {
            node: target.element.node,
            origin: self.origin().to_string(),
            clear: false,
            walk: None,
            point: target.point,
            purpose: None,
            untold: Vec::new(),
            told_name: None,
        }
    }

    fn element_script(
        &self,
        function: PageFunction,
        target: &Pointed,
        args: impl Serialize,
    ) -> BatchStep {
        self.script_step(function, args, Frames::Documents(vec![target.element.document.clone()]))
    }

    /// A step that scrolls the page, or what is around an element.
    pub fn scroll_step(&self, target: Option<&Pointed>, how: Scrolling) -> BatchStep {
        let node = target.map(|target| target.element.node);
        let args = ScrollArgs { origin: self.origin().to_string(), node, how };
        let frames = target.map_or(Frames::Main, |target| {
            Frames::Documents(vec![target.element.document.clone()])
        });
        self.script_step(PageFunction::Scroll, args, frames)
    }

    /// A step that runs a function of the page script.
    pub fn script_step(
        &self,
        function: PageFunction,
        args: impl Serialize,
        frames: Frames,
    ) -> BatchStep {
        let args = serde_json::to_value(args).unwrap_or(Value::Null);
        step("script", ScriptParams { tab_id: self.tab, function, args, frames, ref_floor: None })
    }
}
