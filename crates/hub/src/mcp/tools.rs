//! Tools as MCP has them: their definitions, and what came of a call.

use std::borrow::Cow;
use std::sync::Arc;

use outrigger_dispatch::{Catalogue, Definition, ToolProfile};
use outrigger_protocol::agent::{CallReply, Content, DynamicTool};
use outrigger_protocol::link::RiskLevel;
use rmcp::model::{
    CallToolResult, ContentBlock, JsonObject, MetaObject, ResourceContents, Tool, ToolAnnotations,
};
use serde_json::Value;

type Words = Cow<'static, str>;

/// The dynamic tools of a catalogue, as agents are told of them.
pub(crate) fn dynamic_tools(catalogue: &Catalogue) -> Vec<DynamicTool> {
    let told = |definition: Definition| DynamicTool {
        name: definition.name.into_owned(),
        description: definition.description.into_owned(),
        input_schema: definition.input_schema,
        read_only: definition.risk == RiskLevel::Read,
    };
    catalogue.dynamic().into_iter().map(told).collect()
}

/// The tools that are always there and shown so.
pub(super) fn fixed_tools(catalogue: &Catalogue, profile: &ToolProfile) -> Vec<Tool> {
    let listed = catalogue.listed(profile).into_iter();
    let tools = listed.map(|definition| {
        let read_only = definition.risk == RiskLevel::Read;
        mcp_tool(definition.name, definition.description, definition.input_schema, read_only)
    });
    tools.collect()
}

pub(super) fn mcp_tool(name: Words, description: Words, schema: Value, read_only: bool) -> Tool {
    let schema = match schema {
        Value::Object(schema) => schema,
        _ => JsonObject::new(),
    };
    let tool = Tool::new(name, description, Arc::new(schema));
    if read_only { tool.annotate(ToolAnnotations::new().read_only(true)) } else { tool }
}

pub(super) fn is_read_only(tool: &Tool) -> bool {
    tool.annotations.as_ref().is_some_and(|about| about.read_only_hint == Some(true))
}

/// What came of a call.
pub(super) fn result(reply: CallReply) -> CallToolResult {
    let blocks = reply.content.into_iter().map(|piece| match piece {
        Content::Text { text } => ContentBlock::text(text),
        Content::Image { data, mime_type } => ContentBlock::image(data, mime_type),
        Content::File { name, data, mime_type } => {
            let address = format!("outrigger://files/{name}");
            ContentBlock::resource(ResourceContents::blob(data, address).with_mime_type(mime_type))
        }
    });
    let blocks = blocks.collect();
    match reply.error {
        None => CallToolResult::success(blocks),
        Some(code) => {
            let mut result = CallToolResult::error(blocks);
            let mut meta = JsonObject::new();
            meta.insert("outrigger/code".to_owned(), Value::from(code.as_str()));
            result.meta = Some(MetaObject::from(meta));
            result
        }
    }
}
