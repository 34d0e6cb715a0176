/* The parts of a crawl's progress, in the order of the bar: ended, being read, waiting. */
import type { CrawlProgress } from "../../services/contracts/crawler.contract.ts";

export type Part = "completed" | "failed" | "skipped" | "running" | "queued";

export const parts: [Part, string][] = [
  ["completed", "read"],
  ["failed", "failed"],
  ["skipped", "skipped"],
  ["running", "being read"],
  ["queued", "waiting"],
];

/** The number of pages that have ended. */
export function ended({ completed, failed, skipped }: CrawlProgress): number {
  return completed + failed + skipped;
}

/** In words, the pages that ended without being read; empty where all were read. */
export function withoutPage({ failed, skipped }: CrawlProgress): string[] {
  return [...(failed > 0 ? [`${failed} failed`] : []), ...(skipped > 0 ? [`${skipped} skipped`] : [])];
}

/** The start and the width of each part, in percent. Parts without a page are left out. */
export function segments(progress: CrawlProgress): { name: Part; from: number; width: number }[] {
  const whole = parts.reduce((sum, [name]) => sum + progress[name], 0);
  let from = 0;
  return parts
    .map(([name]) => {
      const width = whole === 0 ? 0 : (100 * progress[name]) / whole;
      const segment = { name, from, width };
      from += width;
      return segment;
    })
    .filter(({ width }) => width > 0);
}
