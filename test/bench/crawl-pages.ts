import { seeded } from "../faults/random.ts";
import { benchPages, type Script } from "./pages.ts";

export const crawlEntry = "/site/page-0.html";

/**
 * The pages of the set as a site of `count` pages: their links lead to one another, the first three so that each page is
 * reached from the entry, the others anywhere. The same on every run.
 */
export function* crawlPages(scripts: Script, count: number): Generator<{ path: string; html: string }> {
  const random = seeded(count);
  const templates = benchPages(scripts).map(({ html }) => html.replace(/<link rel="canonical"[^>]*>/, ""));
  for (let n = 0; n < count; n += 1) {
    let link = 0;
    const html = (templates[n % templates.length] ?? "").replace(/(<a [^>]*?href=")\/[^"]*/g, (_, before) => {
      link += 1;
      const child = 3 * n + link;
      const to = link <= 3 && child < count ? child : Math.floor(random() * count);
      return before + pathOf(to);
    });
    yield { path: pathOf(n), html };
  }
}

function pathOf(n: number): string {
  return `/site/page-${n}.html`;
}
