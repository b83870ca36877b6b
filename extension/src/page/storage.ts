// `storage`: what a page keeps in the browser. Values are told one by one, by
// name: a list of all of them would tell the secrets among them too.
import type { StorageArea, StorageArgs, Stored } from "../protocol/generated";
import { Refused } from "../protocol/refused";
import { refuseOtherOrigin } from "./origin";

const MOST_ENTRIES = 500;
const LONGEST_VALUE = 100_000;

export function storage({ origin, area, access }: StorageArgs): Stored {
  refuseOtherOrigin(origin);
  const store = open(area);
  let value: string | null = null;
  switch (access.do) {
    case "get":
      value = store.getItem(access.key);
      if (value === null) throw notThere();
      break;
    case "set":
      put(store, access.key, access.value);
      break;
    case "delete":
      if (store.getItem(access.key) === null) throw notThere();
      store.removeItem(access.key);
      break;
    case "clear":
      store.clear();
  }
  return { entries: entriesOf(store), ...(value !== null && { value: cut(value) }) };
}

function open(area: StorageArea): Storage {
  try {
    return area === "local" ? localStorage : sessionStorage;
  } catch {
    throw new Refused(
      "unsupported_page",
      "This page has no storage: it is in a sandbox, or the browser keeps it from storing anything.",
    );
  }
}

function put(store: Storage, key: string, value: string): void {
  try {
    store.setItem(key, value);
  } catch {
    throw new Refused(
      "too_large",
      "The page's storage is full, so nothing was stored. Delete something from it first.",
    );
  }
}

function entriesOf(store: Storage): [string, number][] {
  const keys = Array.from({ length: Math.min(store.length, MOST_ENTRIES) }, (_, at) =>
    store.key(at),
  );
  return keys
    .filter((key) => key !== null)
    .map((key): [string, number] => [key, store.getItem(key)?.length ?? 0]);
}

function cut(value: string): string {
  return value.length <= LONGEST_VALUE ? value : `${value.slice(0, LONGEST_VALUE)}…`;
}

function notThere(): Refused {
  return new Refused("not_found", "Nothing is stored under that name. List what is there first.");
}
