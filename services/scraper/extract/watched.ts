import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import { pageOutline } from "../../../reader/page/page-outline.ts";
import type { KeptPage, WantedView } from "../../contracts/page-reads.contract.ts";
import { boundedPage } from "../../domain/watch/eye/reduce-page.ts";
import { takeSnapshot } from "../../domain/watch/snapshot.ts";
import type { Digest, Wanted } from "./digest.ts";

/** What views see of a page, and what is kept of it where one of them knows another one. `html`: the page, reduced. */
export function watched(
  views: readonly WantedView[],
  html: string,
  { url, title, language }: { url: string; title: string; language: string | null },
  source?: Wanted["source"],
): Pick<Digest, "snapshots" | "kept"> {
  const page = { html, url, title, language, ...(source && { source }) };
  const snapshots = views.map(({ view, outline, page: _, ...learned }) => ({
    ...takeSnapshot(page, view, learned),
    ...(outline && { outline: pageOutline(html, url) }),
  }));
  const hash = createHash("sha256").update(html).digest("hex");
  return {
    snapshots,
    ...(views.some(({ page: known }) => known !== hash) && { kept: keptPage(html, hash, title) }),
  };
}

function keptPage(html: string, hash: string, title: string): KeptPage {
  return { hash, html: zstdCompressSync(boundedPage(html)).toString("base64"), title };
}
