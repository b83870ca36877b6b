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
}

export interface Capability {
  name: string;
  version: string;
  riskLevel: RiskLevel;
  requiresGesture: boolean;
  dataTypes: string[];
  /** JSON Schema of the payload, for hubs that make a tool of it. */
  paramsSchema?: Record<string, unknown>;
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

export function describeCapability({ run: _, ...description }: Capability): Description {
  return description;
}
