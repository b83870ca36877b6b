// What a person can use: native controls, widget roles, and whatever the page
// made clickable. A handler set from script can't be seen from here, so the
// pointer cursor stands in for it.
import { isWidget } from "./roles";

/** `hint`: nothing but the cursor says so. */
export type ControlKind = "no" | "hint" | "yes";

const NATIVE = new Set(["button", "input", "select", "textarea"]);

/** What is in a frame can be used, the frame itself can't. */
const NEVER = new Set(["body", "html", "iframe", "frame"]);

/** `isMarked`: it has one of the attributes that could make it a control. */
export function controlKind(
  element: Element,
  tag: string,
  role: string,
  isMarked: boolean,
  cursor: string,
  cursorAround: string,
): ControlKind {
  if (NATIVE.has(tag)) return (element as HTMLInputElement).type === "hidden" ? "no" : "yes";
  // The page of an editor in a frame is itself the field.
  if (tag === "body" && isEditingHost(element)) return "yes";
  if (NEVER.has(tag)) return "no";
  if (isWidget(role) || (isMarked && isMadeControl(element))) return "yes";
  if ((tag === "video" || tag === "audio") && element.hasAttribute("controls")) return "yes";
  // Inherited by what is inside, so only the outermost one counts.
  return cursor === "pointer" && cursorAround !== "pointer" ? "hint" : "no";
}

function isMadeControl(element: Element): boolean {
  if (element.hasAttribute("onclick") || isEditingHost(element)) return true;
  if (element.getAttribute("draggable")?.toLowerCase() === "true") return true;
  return Number.parseInt(element.getAttribute("tabindex") ?? "", 10) >= 0;
}

/** Where an editable part of a page begins. */
export function isEditingHost(element: Element): boolean {
  if (element.localName === "body" && element.ownerDocument.designMode === "on") return true;
  const editable = element.getAttribute("contenteditable");
  return editable !== null && editable.toLowerCase() !== "false";
}

/**
 * Inputs that pages make invisible and draw anew: clicks still go to them, or
 * to their label.
 */
export function isRestyledInput(element: Element): boolean {
  if (element.localName === "select") return true;
  const type = element.localName === "input" ? (element as HTMLInputElement).type : "";
  return type === "checkbox" || type === "radio" || type === "file" || type === "range";
}
