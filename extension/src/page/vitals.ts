// `vitals`: what the browser measured while the page loaded and was used.
import type { Vitals } from "../protocol/generated";
import { page, selectIn } from "./clobbered";

/** Shifts belong together if they come within a second of each other, for five at most. */
const SHIFT_GAP_MS = 1_000;
const SHIFT_WINDOW_MS = 5_000;
/** What a task blocks is what it takes beyond this. */
const LONG_TASK_MS = 50;
/** Entries that were kept come in a task of their own. */
const DELIVERY_MS = 100;

interface Shift extends PerformanceEntry {
  value: number;
  hadRecentInput: boolean;
}

interface Interaction extends PerformanceEntry {
  interactionId: number;
}

export async function vitals(): Promise<Vitals> {
  const [paints, shifts, events, tasks, visibility] = await Promise.all([
    kept("largest-contentful-paint"),
    kept("layout-shift"),
    kept("event", { durationThreshold: 16 }),
    kept("longtask"),
    kept("visibility-state"),
  ]);
  const figures: Vitals["figures"] = {};
  const tell = (name: string, value: number | undefined) => {
    if (value !== undefined && Number.isFinite(value))
      figures[name] = Math.round(value * 1000) / 1000;
  };
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  tell("ttfb", positive(navigation?.responseStart));
  tell("dom_ready", positive(navigation?.domContentLoadedEventEnd));
  tell("load", positive(navigation?.loadEventEnd));
  tell("fcp", performance.getEntriesByName("first-contentful-paint")[0]?.startTime);
  tell("lcp", paints.at(-1)?.startTime);
  tell("cls", largestShift(shifts as Shift[]));
  tell("inp", slowestInteraction(events as Interaction[]));
  tell("long_tasks", tasks.length);
  tell("blocked", sum(tasks.map(({ duration }) => duration - LONG_TASK_MS)));
  const resources = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
  tell("requests", resources.length + (navigation ? 1 : 0));
  const all = navigation ? [navigation, ...resources] : resources;
  tell("transferred_bytes", sum(all.map(({ transferSize }) => transferSize)));
  tell("dom_nodes", selectIn(document, "*").length);
  const { memory } = performance as { memory?: { usedJSHeapSize: number } };
  tell("heap_bytes", memory?.usedJSHeapSize);
  const wasHidden =
    visibility.length > 0 ? visibility[0]?.name === "hidden" : page.readyState === "loading";
  return { figures, wasHidden };
}

/** What the browser kept of one kind, from the beginning on. */
async function kept(type: string, options: object = {}): Promise<PerformanceEntry[]> {
  const entries: PerformanceEntry[] = [];
  const told = Promise.withResolvers<void>();
  const observer = new PerformanceObserver((list) => {
    entries.push(...list.getEntries());
    told.resolve();
  });
  try {
    observer.observe({ type, buffered: true, ...options });
  } catch {
    return [];
  }
  const timer = setTimeout(() => told.resolve(), DELIVERY_MS);
  await told.promise;
  clearTimeout(timer);
  entries.push(...observer.takeRecords());
  observer.disconnect();
  return entries;
}

function largestShift(shifts: Shift[]): number {
  let largest = 0;
  let total = 0;
  let first = 0;
  let last = Number.NEGATIVE_INFINITY;
  for (const { startTime, value, hadRecentInput } of shifts) {
    if (hadRecentInput) continue;
    const goesOn = startTime - last < SHIFT_GAP_MS && startTime - first < SHIFT_WINDOW_MS;
    if (!goesOn) first = startTime;
    total = goesOn ? total + value : value;
    last = startTime;
    largest = Math.max(largest, total);
  }
  return largest;
}

/** Undefined if nobody did anything yet. */
function slowestInteraction(events: Interaction[]): number | undefined {
  const durations = events.filter((one) => one.interactionId > 0).map(({ duration }) => duration);
  return durations.length > 0 ? Math.max(...durations) : undefined;
}

function positive(value: number | undefined): number | undefined {
  return value !== undefined && value > 0 ? value : undefined;
}

function sum(values: number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
