// `facts`: everything worth knowing of one frame, after one walk, as one flat
// string. (As an object it would cost three times the walk on its way out.)
import type { PageFacts } from "../protocol/generated";
import { walkPage } from "./walk";

export function facts(): string {
  const root = document.scrollingElement ?? document.documentElement;
  const page: PageFacts = {
    url: location.href,
    origin: location.origin,
    title: document.title,
    viewport: [innerWidth, innerHeight],
    scroll: [Math.round(scrollX), Math.round(scrollY)],
    extent: [root?.scrollWidth ?? 0, root?.scrollHeight ?? 0],
    nodes: walkPage(),
  };
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const status = navigation?.responseStatus;
  return JSON.stringify(status ? { ...page, status } : page);
}
