// For tests in Node that need a document of their own, or what only the debugger
// protocol tells: a script of ours in a world of its own there.
import type { CDPSession } from "playwright-core";

/** Apart from the page's own scripts, as in the extension. */
export async function evaluateApart(session: CDPSession, expression: string): Promise<unknown> {
  return evaluateIn(session, await worldApart(session), expression);
}

/** A new one each time; what is left there is there for the next expression. */
export async function worldApart(session: CDPSession): Promise<number> {
  const { frameTree } = await session.send("Page.getFrameTree");
  const { executionContextId } = await session.send("Page.createIsolatedWorld", {
    frameId: frameTree.frame.id,
  });
  return executionContextId;
}

export async function evaluateIn(
  session: CDPSession,
  contextId: number,
  expression: string,
): Promise<unknown> {
  const { result, exceptionDetails } = await session.send("Runtime.evaluate", {
    expression,
    contextId,
    awaitPromise: true,
    returnByValue: true,
  });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description);
  return result.value;
}
