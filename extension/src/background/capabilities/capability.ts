// What a capability is: a request type of the link, its description for the
// handshake, and the function that carries it out.
import type { Capability as Description, RiskLevel } from "../../protocol/generated";

export interface CallContext {
  /** Aborted by a cancel, the deadline or the end of the link. */
  signal: AbortSignal;
  /** When the request came in, in milliseconds since the epoch. */
  startedAt: number;
  /** When an answer is too late, in milliseconds since the epoch. */
  deadline: number;
  once: Once;
}

/** How a request that must not run twice keeps track of itself. */
export interface Once {
  /** Results of the steps that a worker before this one had carried out. */
  readonly before: readonly unknown[];
  /** To be awaited before the first thing that can't be taken back. */
  begin(): Promise<void>;
  /** Everything from here on may run again. */
  noteActed(results: unknown[]): void;
}

export interface Capability {
  name: string;
  version: string;
  riskLevel: RiskLevel;
  requiresGesture: boolean;
  dataTypes: string[];
  /** JSON Schema of the payload, for hubs that make a tool of it. */
  paramsSchema?: Record<string, unknown>;
  /** It says itself when it begins to change something. Others begin at once. */
  tracksItself?: boolean;
  run(payload: unknown, context: CallContext): Promise<unknown>;
}

/** Types the payload where the capability is defined; the hub is its only sender. */
export function defineCapability<Payload>(
  capability: Omit<Capability, "run"> & {
    run(payload: Payload, context: CallContext): Promise<unknown>;
  },
): Capability {
  return capability as Capability;
}

export function describeCapability({
  run: _,
  tracksItself: __,
  ...description
}: Capability): Description {
  return description;
}
