// Values of a page as a console shows them: strings plainly, objects by what a
// glance at them tells, errors with their stack.

/** The debugger's picture of a value. */
export interface RemoteValue {
  type: string;
  subtype?: string;
  value?: unknown;
  unserializableValue?: string;
  description?: string;
  preview?: Preview;
  objectId?: string;
}

/** What is in an object, or the beginning of it. */
export interface Look {
  properties: PreviewProperty[];
  overflow?: boolean;
}

export interface Preview extends Look {
  type: string;
  subtype?: string;
  description?: string;
  entries?: { key?: Preview; value: Preview }[];
}

export interface PreviewProperty {
  name: string;
  type: string;
  subtype?: string;
  value?: string;
  valuePreview?: Preview;
}

const LONGEST_FUNCTION = 100;
/** Told by their description: what is inside says less. */
const PLAIN = new Set(["error", "node", "regexp", "date", "promise", "proxy"]);
const SPECIFIER = /%([sdifoOc%])/g;

/** An object of which nothing but its kind is known. */
export function isVague(value: RemoteValue): value is RemoteValue & { objectId: string } {
  const { type, subtype, preview, objectId } = value;
  const hasMore = type === "object" && (subtype === undefined || subtype === "array");
  return hasMore && !preview && objectId !== undefined;
}

export function withLook(value: RemoteValue, look: Look): RemoteValue {
  const { type, subtype, description } = value;
  const kind = { type, ...(subtype && { subtype }), ...(description && { description }) };
  return { ...value, preview: { ...kind, ...look } };
}

/** All arguments of one call. The first may say how to format the others. */
export function textOfCall(values: readonly RemoteValue[]): string {
  const [first, ...rest] = values;
  if (first?.type !== "string" || rest.length === 0) return values.map(textOf).join(" ");
  let used = 0;
  const formatted = String(first.value).replace(SPECIFIER, (written, letter: string) => {
    if (letter === "%") return "%";
    const value = rest[used];
    if (!value) return written;
    used += 1;
    return formatAs(letter, value);
  });
  return [formatted, ...rest.slice(used).map(textOf)].join(" ");
}

export function textOf(value: RemoteValue): string {
  switch (value.type) {
    case "string":
      return String(value.value);
    case "undefined":
      return "undefined";
    case "function":
      return shortFunction(value.description ?? "");
    case "object":
      return textOfObject(value);
    default:
      return value.unserializableValue ?? value.description ?? String(value.value);
  }
}

function formatAs(letter: string, value: RemoteValue): string {
  // Colours and the like: for the eye only.
  if (letter === "c") return "";
  if (letter === "d" || letter === "i") return wholeNumber(value);
  return textOf(value);
}

function wholeNumber(value: RemoteValue): string {
  return value.type === "number" ? String(Math.trunc(Number(value.value))) : textOf(value);
}

function textOfObject({ subtype, preview, description }: RemoteValue): string {
  if (subtype === "null") return "null";
  if (preview && !PLAIN.has(subtype ?? "")) return textOfPreview(preview);
  return description ?? "Object";
}

function textOfPreview(preview: Preview): string {
  const { subtype, description = "", properties, entries, overflow } = preview;
  if (PLAIN.has(subtype ?? "")) return description;
  const parts = entries?.map(({ key, value }) =>
    key ? `${textOfEntry(key)} => ${textOfEntry(value)}` : textOfEntry(value),
  );
  const isList = subtype === "array" || subtype === "typedarray";
  const inside =
    parts ?? properties.map((one) => (isList && isIndex(one.name) ? valueIn(one) : pair(one)));
  if (overflow) inside.push("…");
  if (isList) return `${subtype === "array" ? "" : `${description} `}[${inside.join(", ")}]`;
  const named = description === "Object" ? "" : `${description} `;
  return `${named}{${inside.join(", ")}}`;
}

function textOfEntry(preview: Preview): string {
  if (preview.type === "string") return JSON.stringify(preview.description ?? "");
  return preview.type === "object" ? textOfPreview(preview) : (preview.description ?? "");
}

function pair(property: PreviewProperty): string {
  return `${property.name}: ${valueIn(property)}`;
}

function valueIn({ type, value = "", valuePreview }: PreviewProperty): string {
  if (type === "string") return JSON.stringify(value);
  if (type === "function") return "ƒ";
  if (type === "accessor") return "(…)";
  return valuePreview ? textOfPreview(valuePreview) : value || type;
}

function isIndex(name: string): boolean {
  return /^\d+$/.test(name);
}

function shortFunction(source: string): string {
  const [line = ""] = source.split("\n", 1);
  return line.length <= LONGEST_FUNCTION ? line : `${line.slice(0, LONGEST_FUNCTION - 1)}…`;
}
