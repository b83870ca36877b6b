// Puts the page script into its isolated world: one object whose `call` runs a
// function by name and answers with a value or a refusal.
import { refusalOf } from "../protocol/refused";
import { aftermath } from "./aftermath";
import { hearAsking } from "./asking";
import { pageContext } from "./context";
import { takeDrop, watchDrop } from "./drop";
import { elementIs } from "./element-state";
import { expectKey } from "./expect-key";
import { facts } from "./facts";
import { fieldText } from "./field-text";
import { announceFileField, fileField, giveFiles } from "./files";
import { checkFields } from "./fill-check";
import { fillFields } from "./fill-field";
import { heldFields } from "./fill-held";
import { submitForm } from "./fill-submit";
import { focusForText } from "./focus";
import { focusElement } from "./focus-element";
import { focusedOn } from "./focused-on";
import { holderOfThis, throughFrame } from "./frame-path";
import { guardElsewhere } from "./guard";
import { hasText } from "./has-text";
import { locate } from "./locate";
import { majorChange } from "./major-change";
import { markElement } from "./marking";
import { metadata } from "./metadata";
import { nextChange } from "./next-change";
import { pageText } from "./page-text";
import { pageTools } from "./page-tools";
import { watchPasswordFields } from "./password-memory";
import { permissions } from "./permissions";
import { prepare } from "./prepare";
import { query } from "./query";
import { PAGE_SCRIPT, type PageReply } from "./reply";
import { scroll } from "./scroll";
import { secretsIn } from "./secrets-in";
import { describe } from "./selectors-known";
import { stakes } from "./stakes";
import { storage } from "./storage";
import { synthesize } from "./synthetic/synthesize";
import { userDeeds } from "./user-deeds";
import { veil } from "./veil";
import { vitals } from "./vitals";
import { noteCall, warmUp } from "./warm-up";
import { domChanges } from "./watch";

// biome-ignore lint/suspicious/noExplicitAny: each function knows its own argument, and the worker sends it.
const FUNCTIONS: Record<string, (argument: any) => unknown> = {
  facts,
  prepare,
  focusForText,
  focusElement,
  fieldText,
  focusedOn,
  checkFields,
  fillFields,
  heldFields,
  submitForm,
  fileField,
  announceFileField,
  giveFiles,
  hasText,
  query,
  describe,
  userDeeds,
  locate,
  scroll,
  throughFrame,
  holder: holderOfThis,
  guardElsewhere,
  hearAsking,
  expectKey,
  watchDrop,
  takeDrop,
  metadata: async () => ({ ...metadata(), permissions: await permissions() }),
  pageText,
  storage,
  vitals,
  pageTools,
  changes: domChanges,
  aftermath,
  elementIs,
  markElement,
  nextChange,
  majorChange,
  pageContext,
  secretsIn,
  stakes,
  veil,
  synthesize,
};

/** Gives way to all the others. */
const AHEAD_OF_NEED = "warmUp";

export function installPageScript(): void {
  const world = globalThis as Record<string, unknown>;
  if (world[PAGE_SCRIPT]) return;
  world[PAGE_SCRIPT] = { call };
  watchPasswordFields(document);
}

async function call(name: string, argument: unknown): Promise<PageReply> {
  try {
    const { origin } = location;
    if (name === AHEAD_OF_NEED) return { ok: true, value: await warmUp(), origin };
    noteCall();
    const run = FUNCTIONS[name];
    if (!run) throw new Error(`no function "${name}"`);
    return { ok: true, value: await run(argument), origin };
  } catch (error) {
    return { ok: false, refusal: refusalOf(error) };
  }
}
