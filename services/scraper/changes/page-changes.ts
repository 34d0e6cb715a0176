import { createHash } from "node:crypto";
import { ulid } from "ulid";
import type { History, Version } from "../../../mixins/history/history.ts";
import type { ScrapeData } from "../../contracts/page.contract.ts";
import type { ScrapeRequest } from "../../contracts/scraper.contract.ts";
import { present } from "../../domain/json/fields.ts";
import { changesSource } from "../../domain/page-changes/changes-source.ts";
import type { KeptText, PageDifference } from "../../domain/page-changes/compare-pages.ts";
import { canonicalUrl } from "../../domain/url/canonical-url.ts";
import type { PageTools } from "../context.ts";
import type { PageOrder } from "../page-request.ts";

type Changes = NonNullable<ScrapeData["changes"]>;

/** A page as it was read now. */
interface ReadNow extends KeptText {
  status: number;
  title: string;
}

/**
 * What has changed in a page since the key read it last with the same tag, and keeps what was read for the next time. A
 * reading that is repeated, since its process died, compares with the one before the first. Undefined for a page of an
 * error that says nothing of the page, such as a 503.
 */
export async function changesOf(
  { url, output }: ScrapeRequest,
  read: ReadNow,
  order: PageOrder,
  tools: PageTools,
): Promise<Changes | undefined> {
  const { tag, modes = ["diff"] } = output.changes ?? {};
  const isGone = read.status === 404 || read.status === 410;
  if (read.status >= 400 && !isGone) return undefined;
  const sourceId = changesSource(order.keyId, tag);
  const item = canonicalUrl(url)?.key ?? url;
  const [newest] = await tools.history.versions(sourceId, { item, limit: 1 });
  const known = newest && readingOf(newest);
  const isRepeat = known !== undefined && known.by === order.readAs;
  const previous = isRepeat ? known.before : newest && formerOf(newest);
  const at = Date.now();
  const reading: Reading = {
    ...{ by: order.readAs ?? "", at, url },
    ...present({ entry: order.entry ?? known?.entry }),
    ...(isGone && { isGone }),
    ...(previous && { before: previous }),
  };
  const found = {
    previous_at: previous ? new Date(previous.at).toISOString() : null,
    visibility: order.isHidden ? ("hidden" as const) : ("visible" as const),
  };
  if (isGone) {
    if (newest) await tools.history.restate(sourceId, newest.id, { ...newest, reason: reasonOf(reading) });
    // What was never read before cannot have gone.
    return { status: previous ? "removed" : "new", ...found };
  }
  const content = contentOf(read);
  const { status, difference } = await compare(content, previous, modes, order, tools);
  await tools.history.add([
    {
      ...{ id: ulid(at), sourceId, item, at, title: read.title, words: "" },
      ...{ hash: content.hash, content: content.bytes, reason: reasonOf(reading) },
      outcome: status === "new" ? "first" : status,
    },
  ]);
  const { diff, json } = difference ?? {};
  return { status, ...found, ...(diff !== undefined && { diff }), ...(json && { json }) };
}

function formerOf(version: Version): Former | undefined {
  const { at, isGone } = readingOf(version);
  return { at, hash: version.hash, ...(isGone && { isGone }) };
}

interface Content {
  text: KeptText;
  bytes: Uint8Array;
  hash: string;
}

function contentOf({ markdown, json }: ReadNow): Content {
  const text = { markdown, ...(json && { json }) };
  const bytes = Buffer.from(JSON.stringify(text));
  return { text, bytes, hash: createHash("sha256").update(bytes).digest("hex") };
}

async function compare(
  { text, hash, bytes }: Content,
  previous: Former | undefined,
  modes: ("diff" | "json")[],
  order: PageOrder,
  { history, extraction }: Pick<PageTools, "extraction"> & { history: Pick<History, "content"> },
): Promise<{ status: "new" | "same" | "changed"; difference?: PageDifference }> {
  if (!previous) return { status: "new" };
  if (previous.hash === hash) return { status: previous.isGone ? "changed" : "same" };
  const before = await history.content(previous.hash);
  // What was beyond KEEP_DAYS or KEEP_MB is no longer there.
  if (!before) return { status: "changed" };
  const input = [JSON.parse(before.toString()), text, modes] as [KeptText, KeptText, ("diff" | "json")[]];
  const reader = { ...order, bytes: before.length + bytes.length };
  const difference = await extraction.run("comparePages", input, reader);
  return { status: difference.isChanged || previous.isGone ? "changed" : "same", difference };
}

/** A reading of a page before another one. */
interface Former {
  /** Milliseconds since the epoch. */
  at: number;
  hash: string;
  /** The page was not there; `hash` is that of the last time when it was. */
  isGone?: boolean;
}

/** The last reading of a page, which the newest version of its address carries. */
interface Reading {
  /** The scrape or crawl that read it. */
  by: string;
  /** Milliseconds since the epoch. */
  at: number;
  url: string;
  /** The entry page of the crawl that read it last. */
  entry?: string | undefined;
  isGone?: boolean;
  /** The reading that it was compared with. */
  before?: Former;
}

/** A version says of itself by whom and when its content was read last. */
export function readingOf({ reason }: Pick<Version, "reason">): Reading {
  return JSON.parse(reason) as Reading;
}

function reasonOf(reading: Reading): string {
  return JSON.stringify(reading);
}
