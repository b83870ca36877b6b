// A look into an object of a page, for where the debugger gave none along with
// it. Nothing of the page runs: properties are listed, getters not called.
import type { Look, PreviewProperty, RemoteValue } from "./console-text";
import { sendDebuggerCommand } from "./debugger";

const MOST_PROPERTIES = 20;

interface Listed {
  result: { name: string; enumerable?: boolean; value?: RemoteValue }[];
}

/** Undefined if the object is gone. */
export async function lookInto(
  tabId: number,
  objectId: string,
  sessionId: string | undefined,
): Promise<Look | undefined> {
  try {
    const { result } = await sendDebuggerCommand<Listed>(
      tabId,
      "Runtime.getProperties",
      { objectId, ownProperties: true },
      sessionId,
    );
    const listed = result.filter(({ enumerable }) => enumerable);
    return {
      overflow: listed.length > MOST_PROPERTIES,
      properties: listed.slice(0, MOST_PROPERTIES).map(propertyOf),
    };
  } catch {
    return undefined;
  }
}

function propertyOf({ name, value }: Listed["result"][number]): PreviewProperty {
  if (!value) return { name, type: "accessor" };
  const { type, subtype, description, unserializableValue } = value;
  const told = unserializableValue ?? description ?? String(value.value);
  return {
    name,
    type,
    ...(subtype && { subtype }),
    value: type === "string" ? String(value.value) : told,
  };
}
