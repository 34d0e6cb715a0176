import type { SitePage } from "../../../mixins/site-pages/site-pages.ts";
import type { PageVisit } from "../../domain/site/page-visit.ts";
import { noteVisit } from "../../domain/site/shared-lines.ts";
import type { LookedAt } from "../../domain/site/site-memory.ts";
import { noteTarget } from "../../domain/site/witnesses.ts";
import type { ConnectorTools } from "../connector.ts";
import type { ComparedSnapshot } from "../pages/page-state.ts";
import { hasBaseline } from "./site-member.ts";
import type { Lead, Row, Sight } from "./site-visit.ts";

export type Compared = Extract<ComparedSnapshot, { ok: true }>;

/** A visit of a page by one view, of which nothing was made yet. */
export interface Visited {
  row: Row;
  /** When it began, in milliseconds since the epoch. */
  at: number;
  sight: Sight;
  /** What a page that was read is beside what is remembered. */
  compared?: Compared;
  /** As the site's memory took it; absent of the first visit of a page. */
  visit?: PageVisit;
}

/** Compares what a visit saw with what is remembered of the page, and notes it in the memory of the site. */
export async function recordVisit(
  { row, at, sight: seen }: Visited,
  tools: Pick<ConnectorTools, "compareSnapshot">,
): Promise<Visited> {
  const { member, page } = row;
  const { compared, sight } = await compare({ row, at, sight: seen }, tools);
  if (sight.kind === "led") member.site = noteTarget(member.site, page.key, leadName(page, sight));
  const isFirst = row.memory.state.told === undefined;
  if (isFirst || !hasBaseline(member)) return { row, at, sight, ...(compared && { compared }) };
  const lines = compared?.verdict.lines;
  // A visit whose change was held back has left the page as it was told before.
  const before = row.memory.state.checkedAt ?? page.visitedAt ?? page.foundAt;
  const visit: PageVisit = {
    ...{ key: page.key, url: page.url, at, before },
    found: lookedAt(sight, lines !== undefined),
    ...(lines && { lines }),
  };
  member.site = noteVisit(member.site, visit);
  return { row, at, sight, visit, ...(compared && { compared }) };
}

/** Names where a page leads alike for all pages that lead there: without a query that says whence the visitor came. */
export function leadName({ url }: Pick<SitePage, "url">, { to, key }: Lead): string {
  const from = new URL(url).pathname;
  const { searchParams } = new URL(to);
  const isReferring = from.length > 1 && [...searchParams.values()].some(value => value.includes(from));
  return isReferring ? (key.split("?")[0] ?? key) : key;
}

/** `passed`: lines that are the site's. */
export async function compare(
  { row, at, sight }: Pick<Visited, "row" | "at" | "sight">,
  tools: Pick<ConnectorTools, "compareSnapshot">,
  passed: string[] = [],
): Promise<{ sight: Sight; compared?: Compared }> {
  if (sight.kind !== "read") return { sight };
  const { seen: snapshot, title } = sight;
  const compared = await tools.compareSnapshot(row.page.url, {
    ...{ state: row.memory.state, snapshot, view: row.member.view, title, at },
    passed,
  });
  if (compared.ok) return { sight, compared };
  return { sight: { kind: compared.isAbsent ? "empty" : "failed", reason: compared.reason } };
}

function lookedAt({ kind }: Sight, isChanged: boolean): LookedAt {
  if (kind === "failed") return "failed";
  if (kind === "same" || kind === "read") return isChanged ? "changed" : "same";
  return "missing";
}
