// For tests of capabilities: a request that has all the time in the world.
import type { CallContext } from "./capability";

export function makeContext(changes: Partial<CallContext> = {}): CallContext {
  return {
    signal: new AbortController().signal,
    startedAt: 0,
    deadline: 1e15,
    once: { before: [], begin: async () => {}, noteActed: () => {} },
    ...changes,
  };
}
