// Files for a page: which field a button or a label stands for, `File` objects
// where there are only bytes, and drops on what has no field.
import type { FileBytes } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { matches, parentOf, selectIn } from "./clobbered";
import { usableElement } from "./prepare";
import { isDisabled } from "./states";
import { watchDom } from "./watch";

export interface FilesArgs {
  node: number;
  origin: string;
}

/** How far from a button its hidden field may be. */
const NEARBY_LEVELS = 4;
const OTHER_FIELDS =
  "input:not([type=button],[type=submit],[type=reset],[type=image]),select,textarea";

/** `fileField`: whether there is a field for files, and whether it takes so many. */
export function fileField({ node, origin, count }: FilesArgs & { count: number }): boolean {
  const element = usableElement({ node, origin, clear: false });
  watchDom(element);
  const field = fileInputOf(element);
  if (field) refuseUnfit(field, count);
  return field !== undefined;
}

/** `announceFileField`: shows the field to whoever waits for an event of this name. */
export function announceFileField({ node, origin, type }: FilesArgs & { type: string }): void {
  const field = fileInputOf(usableElement({ node, origin, clear: false }));
  field?.dispatchEvent(new Event(type, { bubbles: true, composed: true }));
}

/** `giveFiles`: puts files in, or drops them. */
export function giveFiles({ node, origin, files }: FilesArgs & { files: FileBytes[] }): void {
  const element = usableElement({ node, origin, clear: false });
  watchDom(element);
  const transfer = new DataTransfer();
  for (const file of files) transfer.items.add(asFile(file));
  const field = fileInputOf(element);
  if (!field) {
    drop(element, transfer);
    return;
  }
  refuseUnfit(field, files.length);
  field.files = transfer.files;
  if (field.files?.length !== files.length) {
    throw new Refused("not_editable", "The browser did not put the files into the field.");
  }
  field.dispatchEvent(new Event("input", { bubbles: true, composed: true }));
  field.dispatchEvent(new Event("change", { bubbles: true }));
}

function asFile({ name, mime, base64 }: FileBytes): File {
  const letters = atob(base64);
  // One by one: through an iterator some megabytes keep a page busy for seconds.
  const bytes = new Uint8Array(letters.length);
  for (let at = 0; at < bytes.length; at += 1) bytes[at] = letters.charCodeAt(at);
  return new File([bytes], name, { type: mime });
}

function refuseUnfit(field: HTMLInputElement, count: number): void {
  if (isDisabled(field)) throw new Refused("disabled", "The file field is disabled.");
  if (count > 1 && !field.multiple) {
    throw new Refused("invalid_arguments", "The field takes one file only.");
  }
}

/** The field itself, or the only one that a label, a box or a button can stand for. */
function fileInputOf(element: Element): HTMLInputElement | undefined {
  if (isFileInput(element)) return element;
  if (element instanceof HTMLLabelElement && element.control && isFileInput(element.control)) {
    return element.control;
  }
  // A field for something else stands for no other one.
  if (matches(element, OTHER_FIELDS)) return undefined;
  let around: Element | null = element;
  for (let level = 0; around && level <= NEARBY_LEVELS; level += 1) {
    const fields = [...selectIn<HTMLInputElement>(around, "input[type=file]")];
    if (fields.length > 0) return fields.length === 1 ? fields[0] : undefined;
    // What surrounds all of the page says nothing of one button.
    around = parentOf(around);
    if (around?.localName === "body") break;
  }
  return undefined;
}

function isFileInput(element: Element): element is HTMLInputElement {
  return element instanceof HTMLInputElement && element.type === "file";
}

/** A page that wants the files says so while they are over it. */
function drop(element: Element, dataTransfer: DataTransfer): void {
  const { left, top, width, height } = element.getBoundingClientRect();
  const place = { clientX: left + width / 2, clientY: top + height / 2 };
  const tell = (type: string) =>
    !element.dispatchEvent(
      new DragEvent(type, {
        bubbles: true,
        cancelable: true,
        composed: true,
        dataTransfer,
        ...place,
      }),
    );
  const entered = tell("dragenter");
  if (!tell("dragover") && !entered) {
    tell("dragleave");
    throw new Refused(
      "not_editable",
      "The element takes no files. Use the ref of a file field, its button or its drop zone.",
    );
  }
  tell("drop");
}
