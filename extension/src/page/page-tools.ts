// `pageTools`: tools that the page itself offers to agents (WebMCP, through
// `document.modelContext`). What they say of themselves and what they answer
// are words of the page.
import type { PageTool, PageToolCall, PageTools, PageToolsArgs } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { refuseOtherOrigin } from "./origin";

const MOST_TOOLS = 100;
const LONGEST_DESCRIPTION = 1_000;
const LONGEST_SCHEMA = 5_000;
const LONGEST_ANSWER = 200_000;

interface OfferedTool {
  name: string;
  title?: string;
  description: string;
  origin: string;
  inputSchema?: unknown;
  annotations?: { readOnlyHint?: boolean };
}

interface ModelContext {
  getTools(): Promise<OfferedTool[]>;
  executeTool(tool: OfferedTool, input: object, options: { signal: AbortSignal }): Promise<unknown>;
}

export async function pageTools({ origin, call }: PageToolsArgs): Promise<PageTools> {
  refuseOtherOrigin(origin);
  const context = modelContext();
  if (!context) {
    if (call) throw notOffered();
    return { isSupported: false, tools: [] };
  }
  const offered = (await context.getTools()).filter((tool) => tool.origin === origin);
  const tools = offered.slice(0, MOST_TOOLS).map(described);
  if (!call) return { isSupported: true, tools };
  const tool = offered.find(({ name }) => name === call.name);
  if (!tool) throw notOffered();
  // In one go with the call: the page can't put another in its place in between.
  if (call.judged && !isSame(described(tool), call.judged)) throw changed();
  return { isSupported: true, tools, answer: await answerOf(context, tool, call) };
}

/** Asked of the prototype: a page may have put something else under that name. */
function modelContext(): ModelContext | undefined {
  const getter = Object.getOwnPropertyDescriptor(Document.prototype, "modelContext")?.get;
  return getter?.call(document) as ModelContext | undefined;
}

function described(tool: OfferedTool): PageTool {
  const { name, title, description, inputSchema, annotations } = tool;
  return {
    name,
    ...(title ? { title: title.slice(0, LONGEST_DESCRIPTION) } : {}),
    description: description.slice(0, LONGEST_DESCRIPTION),
    inputSchema: JSON.stringify(inputSchema ?? {}).slice(0, LONGEST_SCHEMA),
    isReadOnly: annotations?.readOnlyHint === true,
  };
}

async function answerOf(
  context: ModelContext,
  tool: OfferedTool,
  call: PageToolCall,
): Promise<string> {
  try {
    const signal = AbortSignal.timeout(call.limitMs);
    const answer = await context.executeTool(tool, call.arguments, { signal });
    return written(answer).slice(0, LONGEST_ANSWER);
  } catch (error) {
    throw failure(error);
  }
}

/** The browser hands the answer over as JSON text. */
function written(answer: unknown): string {
  return typeof answer === "string" ? answer : (JSON.stringify(answer) ?? "null");
}

function failure(error: unknown): Refused {
  const { name, message } =
    error instanceof DOMException || error instanceof Error
      ? error
      : { name: "", message: String(error) };
  if (name === "TimeoutError" || name === "AbortError") {
    return new Refused(
      "outcome_unknown",
      "The page's tool did not answer in time. What it did is not known: look at the page before trying again.",
    );
  }
  return new Refused(
    "capability_failed",
    "The page's tool failed. What it said is below; look at what it takes with browser_page_tools.",
    { by: message.slice(0, LONGEST_DESCRIPTION) },
  );
}

function isSame(one: PageTool, other: PageTool): boolean {
  const parts = ({ name, title, description, inputSchema, isReadOnly }: PageTool) =>
    JSON.stringify([name, title, description, inputSchema, isReadOnly]);
  return parts(one) === parts(other);
}

function changed(): Refused {
  return new Refused(
    "changed",
    "The page changed this tool since it was judged, so it was not called. Look at what it says now with browser_page_tools.",
  );
}

function notOffered(): Refused {
  return new Refused(
    "not_found",
    "The page offers no tool of this name. Call browser_page_tools without a name to see which it offers.",
  );
}
