// The console of one tab: what its pages wrote, exceptions that nobody caught,
// and what the browser had to complain about.
import type { ConsoleEntry, ConsoleLevel, ConsoleLog } from "../protocol/generated";
import { tellAddress } from "./addresses";
import { isVague, type Look, type RemoteValue, textOf, textOfCall, withLook } from "./console-text";
import type { Listener } from "./recording";
import { Ring } from "./ring";

const MOST_ENTRIES = 500;
const LONGEST_TEXT = 4_000;
const MOST_FRAMES = 20;
/** Looking into an object takes a round trip. */
const MOST_LOOKED_INTO = 50;

interface CallFrame {
  functionName: string;
  url: string;
  /** From 0, as is the column. */
  lineNumber: number;
  columnNumber: number;
}

interface StackTrace {
  callFrames: CallFrame[];
  /** What set this off, where it began later. */
  parent?: StackTrace;
}

interface ConsoleCall {
  /** Where its objects are to be found. */
  sessionId?: string | undefined;
  type: string;
  args: RemoteValue[];
  timestamp: number;
  stackTrace?: StackTrace;
}

interface Thrown {
  timestamp: number;
  exceptionDetails: {
    text: string;
    exception?: RemoteValue;
    url?: string;
    lineNumber: number;
    columnNumber: number;
    stackTrace?: StackTrace;
  };
}

interface Complaint {
  entry: {
    level: string;
    text: string;
    timestamp: number;
    url?: string;
    lineNumber?: number;
    stackTrace?: StackTrace;
  };
}

const LEVELS: Record<string, ConsoleLevel> = {
  assert: "error",
  debug: "debug",
  error: "error",
  verbose: "debug",
  warning: "warning",
};

/** The end of an error's description. */
const DESCRIBED_STACK = /(\n {4}at .*)+$/;

/** They say nothing. */
const SILENT = new Set(["clear", "endGroup", "profile", "profileEnd"]);

export class ConsoleEntries implements Listener {
  readonly #ring = new Ring<ConsoleEntry>(MOST_ENTRIES);
  /** What is known by when and where it was written: the debugger repeats itself. */
  readonly #known = new Set<string>();
  /** Calls whose objects came without a look inside, as those from before do. */
  readonly #vague = new Map<ConsoleEntry, ConsoleCall>();
  #last = 0;

  get log(): ConsoleLog {
    const entries = this.#ring.items.toSorted((one, other) => one.at - other.at);
    return { entries, dropped: this.#ring.dropped };
  }

  /** Has a look into the objects of the newest entries, where nobody had one yet. */
  async clarify(
    lookInto: (objectId: string, sessionId: string | undefined) => Promise<Look | undefined>,
  ): Promise<void> {
    const calls = [...this.#vague].slice(-MOST_LOOKED_INTO);
    this.#vague.clear();
    await Promise.all(
      calls.map(async ([entry, call]) => {
        const seen = call.args.map(async (value) => {
          const look = isVague(value) && (await lookInto(value.objectId, call.sessionId));
          return look ? withLook(value, look) : value;
        });
        entry.text = cut(textOfConsoleCall({ ...call, args: await Promise.all(seen) }));
      }),
    );
  }

  hear(method: string, params: unknown, sessionId?: string): void {
    if (method === "Runtime.consoleAPICalled") {
      this.#called({ ...(params as ConsoleCall), sessionId });
    }
    if (method === "Runtime.exceptionThrown") this.#thrown(params as Thrown);
    if (method === "Log.entryAdded") this.#complained(params as Complaint);
  }

  #called(call: ConsoleCall): void {
    const { type, args, timestamp, stackTrace } = call;
    if (SILENT.has(type)) return;
    const level = LEVELS[type] ?? "info";
    const stack = level === "error" || type === "trace" ? framesOf(stackTrace) : [];
    const text = textOfConsoleCall(call);
    const entry = this.#add(level, text, timestamp, sourceOf(stackTrace), stack);
    if (entry && args.some(isVague)) this.#vague.set(entry, call);
  }

  #thrown({ timestamp, exceptionDetails: details }: Thrown): void {
    const { text, exception, stackTrace, url, lineNumber, columnNumber } = details;
    const described = exception ? textOf(exception) : "";
    const what = `${text} ${described.replace(DESCRIBED_STACK, "")}`.trimEnd();
    const place = url ? placeOf({ url, lineNumber, columnNumber }) : undefined;
    const stack = stackTrace ? framesOf(stackTrace) : describedFrames(described);
    this.#add("error", what, timestamp, sourceOf(stackTrace) ?? place, stack);
  }

  #complained({ entry }: Complaint): void {
    const { level, text, timestamp, url, lineNumber, stackTrace } = entry;
    const line = lineNumber === undefined ? "" : `:${lineNumber + 1}`;
    const place = url ? tellAddress(url) + line : undefined;
    const stack = level === "error" ? framesOf(stackTrace) : [];
    this.#add(LEVELS[level] ?? "info", text, timestamp, place ?? sourceOf(stackTrace), stack);
  }

  #add(
    level: ConsoleLevel,
    text: string,
    at: number,
    source: string | undefined,
    stack: string[],
  ): ConsoleEntry | undefined {
    const key = keyOf({ level, at, source });
    if (this.#known.has(key)) return undefined;
    this.#known.add(key);
    this.#last += 1;
    const entry: ConsoleEntry = {
      seq: this.#last,
      level,
      text: cut(text),
      ...(source !== undefined && { source }),
      ...(stack.length > 0 && { stack }),
      at,
    };
    const dropped = this.#ring.push(entry);
    if (dropped) {
      this.#known.delete(keyOf(dropped));
      this.#vague.delete(dropped);
    }
    return entry;
  }
}

function textOfConsoleCall({ type, args }: ConsoleCall): string {
  return type === "assert" ? `Assertion failed: ${textOfCall(args)}` : textOfCall(args);
}

function cut(text: string): string {
  return text.length <= LONGEST_TEXT ? text : `${text.slice(0, LONGEST_TEXT - 1)}…`;
}

function keyOf({ level, at, source }: { level: string; at: number; source?: string | undefined }) {
  return `${level} ${at} ${source ?? ""}`;
}

function sourceOf(stackTrace: StackTrace | undefined): string | undefined {
  const frame = stackTrace?.callFrames.find(({ url }) => url !== "");
  return frame && placeOf(frame);
}

function framesOf(stackTrace: StackTrace | undefined): string[] {
  const frames: string[] = [];
  for (let trace = stackTrace; trace && frames.length < MOST_FRAMES; trace = trace.parent) {
    frames.push(...trace.callFrames.map(tellFrame));
  }
  return frames.slice(0, MOST_FRAMES);
}

function tellFrame(frame: CallFrame): string {
  return `${frame.functionName || "(anonymous)"} (${placeOf(frame)})`;
}

function placeOf({ url, lineNumber, columnNumber }: Omit<CallFrame, "functionName">): string {
  return `${tellAddress(url)}:${lineNumber + 1}:${columnNumber + 1}`;
}

/** An exception from before has its stack only in what it says of itself. */
function describedFrames(description: string): string[] {
  const [stack = ""] = DESCRIBED_STACK.exec(description) ?? [];
  const lines = stack.split("\n    at ").slice(1, MOST_FRAMES + 1);
  return lines.map((line) => (line.endsWith(")") ? line : `(anonymous) (${line})`));
}
