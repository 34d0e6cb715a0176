import { together } from "../support/edited-site/edits.ts";
import { followSite } from "../support/edited-site/follow-site.ts";
import { startEditedSite } from "../support/edited-site.ts";
import { type Bench, type Outcome, verdict } from "./compare.ts";
import { manyProcesses, oneProcess, type SitePlace } from "./site-place.ts";

/** Of the site; another number may be given: `npm run bench -- site -- 1000`. */
const usualPages = 10_000;
/** What is set up once is so after this site. */
const warmPages = 1000;
const timeoutMs = 60 * 60_000;
const [mostBodies, mostBytes] = [0.05, 1024];

/** A whole site with edits, moves and a banner that changes everywhere: events, traffic, memory and disk. */
export const site: Bench = pages => measure("one process", oneProcess, pages);
export const siteCluster: Bench = pages => measure("a cluster", manyProcesses, pages);

async function measure(name: string, start: () => Promise<SitePlace>, given = ""): Promise<Outcome[]> {
  const pages = Number(given) || usualPages;
  const place = await start();
  const { ask } = place.visitor;
  const [small, large] = [
    await startEditedSite({ seed: 2, pages: warmPages }),
    await startEditedSite({ seed: 1, pages }),
  ];
  try {
    await followSite(ask, small, { timeoutMs });
    const [memoryMb, disk] = [await place.memoryMb(), await place.diskBytes()];
    const began = performance.now();
    const followed = await followSite(ask, large, { timeoutMs });
    const baselineMs = performance.now() - began;
    const grown = ((await place.memoryMb()) - memoryMb) * 1024 * 1024;
    const kept = (await place.diskBytes()) - disk;
    large.resetTraffic();
    const due = together(large.edit(1), large.setBanner("The house is closed in August."));
    const problems = await followed.settled(due);
    const { bodies, notModified, others, requests } = large.traffic;
    const of = `site, ${name}`;
    return [
      { line: `${of}: the first round of ${pages} pages took ${Math.round(baselineMs / 1000)} s` },
      ...problems.map(problem => ({ line: `${of}: ${problem}` })),
      verdict(`${of}: events that are missing or not due ${problems.length}`, problems.length, "<=", 0),
      verdict(
        `${of}: ${bodies} bodies after it in ${requests} requests (${notModified} answered 304, ${others} else)`,
        bodies / pages,
        "<=",
        mostBodies,
      ),
      verdict(`${of}: memory at rest ${(grown / pages).toFixed(0)} B a page`, grown / pages, "<=", mostBytes),
      { line: `${of}: ${(kept / pages).toFixed(0)} B a page on disk, of which a page and its first version` },
    ];
  } finally {
    await place.stop();
    await Promise.all([small.close(), large.close()]);
  }
}
