import type { SitePageState } from "../../../mixins/site-pages/site-pages.ts";
import type { RobotsRules } from "../../domain/crawl/robots-rules.ts";
import type { ConnectorTools } from "../connector.ts";
import type { HostLimit } from "./host-limit.ts";
import { hasBaseline, isOfBaseline, type Member, type SiteTools } from "./site-member.ts";
import { noteReach, pauseSite } from "./site-reach.ts";
import { HostIsBusy, type Row, type Sight, visitRows } from "./site-visit.ts";
import { recordVisit, type Visited } from "./visit-record.ts";

/** Visits at a time. */
const width = 2;
/** Milliseconds of the call that are left when no visit begins any more: as long as one may take. */
const reservedMs = 16_000;
/** Addresses of which a step remembers that the site knows them: menus name the same on all pages. */
const mostOffered = 20_000;
/** A longer `Crawl-delay` would keep a site from ever being read. */
const longestSpacingMs = 60_000;

const goneStates: ReadonlySet<SitePageState> = new Set(["removed", "moved", "refused"]);

/** A step through a site, for all of its views that are polled together. */
export class SiteStep {
  readonly members: readonly Member[];
  readonly tools: ConnectorTools;
  readonly site: SiteTools;
  /** The host has no slot for us, or wants a pause: the next step goes on. */
  isBusy = false;

  constructor(members: readonly Member[], tools: ConnectorTools, site: SiteTools) {
    this.members = members;
    this.tools = tools;
    this.site = site;
  }

  hasTime(): boolean {
    return !this.isBusy && this.tools.timeLeftMs() > reservedMs;
  }

  /** Visits pages, each once for all views that have it, and notes what they show. Leaves out those for which there is no time. */
  async visit(groups: readonly (readonly Row[])[]): Promise<Visited[]> {
    const queue = [...groups];
    const visits: Visited[] = [];
    const work = async () => {
      for (let rows = queue.shift(); rows && this.hasTime(); rows = queue.shift())
        visits.push(...(await this.#visitGroup(rows)));
    };
    await Promise.all(Array.from({ length: width }, work));
    return visits;
  }

  /** What a page shows, of which nothing is noted. Null where there is no time. */
  async look(row: Row): Promise<Sight | null> {
    if (!this.hasTime()) return null;
    return (await this.#sightsOf([row]))?.[0] ?? null;
  }

  async #visitGroup(rows: readonly Row[]): Promise<Visited[]> {
    const at = this.tools.now();
    const sights = await this.#sightsOf(rows);
    if (sights === null) return [];
    const visits: Visited[] = [];
    for (const [n, row] of rows.entries()) {
      const sight = sights[n];
      if (!sight) continue;
      row.member.step.visited += 1;
      noteReach(row, sight, at);
      const visited = await recordVisit({ row, at, sight }, this.tools);
      await this.#offerLinks(visited);
      visits.push(visited);
    }
    return visits;
  }

  /** The host has asked for a pause: this step asks for nothing more. */
  #pause(limit: HostLimit): void {
    this.isBusy = true;
    for (const member of this.members) pauseSite(member, limit, this.tools.now());
  }

  /** Null where the host is busy. */
  async #sightsOf(rows: readonly Row[]): Promise<Sight[] | null> {
    const url = rows[0]?.page.url ?? "";
    let robots: RobotsRules;
    try {
      robots = await this.site.robots.rulesFor(url, this.tools);
    } catch (error) {
      return rows.map(() => ({ kind: "failed", reason: (error as Error).message }));
    }
    if (!robots.allows(url))
      return rows.map(() => ({ kind: "refused", reason: "The site's robots.txt forbids it." }));
    const spacingMs = Math.min(robots.crawlDelayMs ?? 0, longestSpacingMs);
    try {
      const sights = await visitRows(rows, this.tools, spacingMs);
      const [first] = sights;
      if (first?.kind === "failed" && first.limit) this.#pause(first.limit);
      return sights;
    } catch (error) {
      if (!(error instanceof HostIsBusy)) throw error;
      this.isBusy = true;
      return null;
    }
  }

  async #offerLinks({ row: { member, page }, sight, at }: Visited): Promise<void> {
    if (sight.kind !== "read" || sight.place.nofollow) return;
    const { offered } = member.step;
    const linked = await member.rules.linked(page, sight.place.links);
    const found = linked.filter(({ key }) => !offered.has(key));
    if (found.length === 0) return;
    // What a page of the baseline links to that could be read only after its end is of the baseline, too.
    const foundAt = page.state === "new" && isOfBaseline(member, page) ? page.foundAt : at;
    const dated = found.map(each => ({ ...each, dueAt: at + 1, foundAt }));
    if (hasBaseline(member)) await this.#lookAtGone(member, found);
    await this.site.pages.offer(member.id, member.fence, dated, member.limit);
    if (offered.size > mostOffered) offered.clear();
    for (const { key } of found) offered.add(key);
  }

  /** A page that was not there and is linked to may be back: it is visited in this round. */
  async #lookAtGone({ id, fence, site }: Member, linked: readonly { key: string }[]): Promise<void> {
    const { pages } = this.site;
    const keys = linked.map(({ key }) => key);
    const gone = (await pages.get(id, keys)).filter(
      ({ state, visitedAt = 0 }) => goneStates.has(state) && visitedAt < site.roundAt,
    );
    if (gone.length === 0) return;
    const dueBy = this.tools.now();
    await pages.mark(
      id,
      fence,
      gone.map(({ key }) => ({ key, dueBy })),
    );
  }
}
