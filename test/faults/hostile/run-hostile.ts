import { type Routes, type Site, startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { AttendedService } from "./attended-service.ts";
import { bodyPages } from "./body.pages.ts";
import { type Canary, startCanary } from "./canary.ts";
import type { Client } from "./client.ts";
import type { Observed, Visit } from "./judge.ts";
import { loadPages } from "./load.pages.ts";
import { navigationPages } from "./navigation.pages.ts";
import { Neighbours } from "./neighbours.ts";
import type { Memory } from "./processes.ts";
import { reachPages } from "./reach.pages.ts";
import { type HostilePages, marked, scripted } from "./site.ts";

export interface HostileRun {
  /** Names of pages. */
  pages: string[];
  /** Rendered scrapes of other keys that are counted before the first hostile page. */
  scrapesBefore: number;
  /** What the service is given to settle before its memory is measured, at least: before the first page, and after the last one. */
  settleMs: number;
  /** Called with what came of each page, and of the neighbours beside it. */
  onVisit(visit: Visit, neighbours: Neighbours, memory: Memory): void;
}

export interface Outcome extends Observed {
  peak: Memory;
}

const pages: HostilePages = { ...navigationPages, ...loadPages, ...bodyPages, ...reachPages };
export const pageNames: string[] = Object.keys(pages);

/** What a hostile page is waited for; the service takes up to a minute where it does not come to an end. */
const timeoutMs = 5000;
const mostSettleMs = 180_000;
const neighbourPages: Routes = {
  "/plain": marked("").replace(/<script.*/s, ""),
  "/rendered": scripted("late.textContent = 'Written by a script.'", "<p id=late></p>"),
};

/** Has one key scrape hostile pages, one after the other, while others scrape ordinary ones. */
export async function runHostile({ pages, scrapesBefore, settleMs, onVisit }: HostileRun): Promise<Outcome> {
  const canary = await startCanary();
  const site = await startHostileSite(canary);
  const service = new AttendedService({ EGRESS_ALLOW: "127.0.0.2/32" });
  try {
    await service.start();
    const neighbours = await startNeighbours(service, site);
    await until("neighbours have scraped", () => neighbours.count("rendered") >= scrapesBefore, 300_000);
    const before = await service.settledMemory(settleMs, mostSettleMs);
    const visits = await visitPages({ service, site, neighbours, pages, onVisit });
    await neighbours.stop();
    const after = await service.settledMemory(settleMs, mostSettleMs);
    const { peak } = service;
    const left = await service.stop();
    return { visits, neighbours: neighbours.scrapes, before, after, peak, canaryHits: canary.hits, ...left };
  } finally {
    await service.dispose();
    await Promise.all([site.close(), canary.close()]);
  }
}

function startHostileSite(canary: Canary): Promise<Site> {
  const routes = Object.entries(pages).flatMap(([name, page]) =>
    Object.entries(typeof page === "function" ? page(canary) : page).map(([path, reply]) => [
      `/${name}${path}`,
      reply,
    ]),
  );
  return startSite({ ...neighbourPages, ...Object.fromEntries(routes) }, undefined, "127.0.0.2");
}

async function startNeighbours(service: AttendedService, { url }: Site): Promise<Neighbours> {
  const kinds = ["plain", "rendered", "rendered"] as const;
  const clients = await Promise.all(kinds.map((_, n) => service.newClient(`neighbour-${n}`)));
  const neighbours = kinds.map((kind, n) => ({ kind, client: clients[n] as Client, url: `${url}/${kind}` }));
  return new Neighbours(neighbours);
}

interface Visiting extends Pick<HostileRun, "pages" | "onVisit"> {
  service: AttendedService;
  site: Site;
  neighbours: Neighbours;
}

async function visitPages({ service, site, neighbours, pages, onVisit }: Visiting): Promise<Visit[]> {
  const client = await service.newClient("hostile");
  const visits: Visit[] = [];
  for (const page of pages) {
    const deathsBefore = service.deaths;
    neighbours.beside = page;
    const end = await client.scrape({ url: `${site.url}/${page}/`, mode: "async", timeout: timeoutMs });
    const readyMs = await service.untilReady();
    const visit = { page, ...end, deaths: service.deaths - deathsBefore, readyMs };
    visits.push(visit);
    onVisit(visit, neighbours, service.measure());
  }
  neighbours.beside = undefined;
  return visits;
}
