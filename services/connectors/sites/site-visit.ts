import { createHash } from "node:crypto";
import type { SitePage } from "../../../mixins/site-pages/site-pages.ts";
import { codeOf, type ErrorCode } from "../../contracts/errors.ts";
import type { PagePlace, PolledPage, UnchangedPage } from "../../contracts/page-reads.contract.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { Seen } from "../../domain/watch/snapshot.ts";
import type { ConnectorTools, PolledSource } from "../connector.ts";
import { readView, visitPage } from "../pages/poll-page.ts";
import { type HostLimit, limitIn } from "./host-limit.ts";
import { type AroundMemory, type PageMemory, unpackPageMemory } from "./page-memory.ts";
import type { Member } from "./site-member.ts";

/** A page of one view of a site. */
export interface Row {
  member: Member;
  page: SitePage;
  memory: PageMemory;
}

export function rowOf(member: Member, page: SitePage): Row {
  return { member, page, memory: unpackPageMemory(page.memory, aroundMemory({ member, page })) };
}

/** What is known of a page beside its memory. */
export function aroundMemory({ member, page }: Pick<Row, "member" | "page">): AroundMemory {
  return { url: page.url, dictionary: member.dictionary };
}

/** Another address, which a page names as its own or redirects to. */
export interface Lead {
  to: string;
  key: string;
}

/** What one view saw of a page. */
export type Sight =
  /** As it was. */
  | { kind: "same"; unchanged: UnchangedPage }
  | { kind: "read"; seen: Seen; title: string; polled: PolledPage; place: PagePlace; canonical?: Lead }
  /** The server redirects to another page. */
  | ({ kind: "led"; isPermanent: boolean } & Lead)
  /** The server says that there is nothing. */
  | { kind: "gone"; status: 404 | 410 }
  /** It shows nothing, or says that nothing is there. */
  | { kind: "empty"; reason: string }
  /** It keeps us out: its robots.txt, or its own wish. */
  | { kind: "refused"; reason: string }
  /** It could not be read. */
  | { kind: "failed"; reason: string; status?: number; limit?: HostLimit };

/** No more requests to this host in this step: it is busy, or wants a pause between two of them. */
export class HostIsBusy extends Error {}

const ownErrors = new Set<ErrorCode>(["internal_error", "unauthorized"]);

/** Asks for a page once for all views that have it. */
export async function visitRows(
  rows: readonly Row[],
  tools: ConnectorTools,
  spacingMs: number,
): Promise<Sight[]> {
  const sources = rows.map(sourceOf);
  let polled: PolledPage | UnchangedPage;
  try {
    polled = await visitPage(sources, tools, { withPlace: true, ...(spacingMs > 0 && { spacingMs }) });
  } catch (error) {
    const code = codeOf(error);
    if (code === "overloaded") throw new HostIsBusy("The host has no free slot.", { cause: error });
    if (code === undefined || ownErrors.has(code)) throw error;
    const reason = (error as Error).message;
    const isNoPage = code === "unsupported_media_type" || code === "content_refused";
    return rows.map(() => ({ kind: isNoPage ? "refused" : "failed", reason }));
  }
  if (!("unchanged" in polled)) {
    const status = polled.job.data.metadata.status_code;
    const limit = limitIn(status, polled.headers, tools.now());
    if (limit) return rows.map(() => ({ kind: "failed", status, limit, reason: limitReason(status) }));
    return rows.map((row, at) => sightOf(row, polled, at));
  }
  const unchanged = polled;
  return rows.map(() => ({ kind: "same", unchanged }));
}

function limitReason(status: number): string {
  return `The site answered with status ${status}: it takes fewer requests.`;
}

/** A page of a site, as a source that is polled by itself. */
function sourceOf({ member, page: { url }, memory: { state } }: Row): PolledSource {
  return { externalId: url, state: state as Record<string, unknown>, failures: 0, view: member.view };
}

function sightOf({ member, page }: Row, polled: PolledPage, at: number): Sight {
  const { metadata } = polled.job.data;
  const status = metadata.status_code;
  const place = polled.place ?? { links: [], nofollow: true, noindex: false, permanentUrl: page.url };
  if (status === 404 || status === 410) return { kind: "gone", status };
  const final = canonicalUrl(metadata.final_url);
  if (final && final.key !== page.key) {
    const isPermanent = canonicalUrl(place.permanentUrl)?.key === final.key;
    return { kind: "led", to: final.url, key: final.key, isPermanent };
  }
  const read = readView(polled.job, polled.snapshots?.[at]);
  if (!read.ok) {
    const isEmpty = read.status >= 200 && read.status <= 299 && !isAimed(member);
    return isEmpty ? { kind: "empty", reason: read.reason } : { kind: "failed", ...read };
  }
  if (place.noindex) return { kind: "refused", reason: "The page asks not to be shown (noindex)." };
  const canonical = canonicalOf(page, metadata.canonical_url);
  return { kind: "read", seen: read.page, title: read.title, polled, place, ...(canonical && { canonical }) };
}

/** Not every page of a site has the part that is watched. */
function isAimed({ view: { select = [], json } }: Member): boolean {
  return select.length > 0 || json !== undefined;
}

/** The page that another one names in place of itself (RFC 6596); undefined where it names none that counts. */
function canonicalOf({ key, url }: SitePage, named: string | null): Lead | undefined {
  const called = URL.parse(named ?? "", url);
  const canonical = called && canonicalUrl(called.href);
  // Pages of another host, and the start page, which many sites name on every page by mistake.
  const isElsewhere = !canonical || called.host !== new URL(url).host || called.pathname === "/";
  return isElsewhere || canonical.key === key ? undefined : { to: canonical.url, key: canonical.key };
}

/** Characters of its own that a page has at least, so that another one with the same is the same page. */
const fewestCharacters = 200;

/** SHA-256 of what a page says of its own; undefined where that is little. */
export function contentOf({ lines }: Seen): string | undefined {
  const own = lines.filter(({ area }) => area === "main").map(({ text }) => text);
  const text = own.join("\n");
  return text.length < fewestCharacters ? undefined : createHash("sha256").update(text).digest("hex");
}
