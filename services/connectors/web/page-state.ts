import { gunzipSync, gzipSync } from "node:zlib";
import type { PageText } from "../../domain/page-change/compare-page.ts";

/** What is kept of a page between polls. */
export interface PageState {
  hash: string;
  /** The page's text: gzip, base64. */
  text: string;
  intervalMs: number;
  name: string;
  /** Changes seen, so that a page which changes back makes a revision of its own. */
  changes: number;
}

/** The state of a source, which only this connector writes. */
export function pageState(state: Record<string, unknown>): Partial<PageState> {
  return state as Partial<PageState>;
}

export function packed({ hash, text }: PageText): Pick<PageState, "hash" | "text"> {
  return { hash, text: gzipSync(text).toString("base64") };
}

export function unpacked({ hash, text }: Partial<PageState>): PageText | undefined {
  if (hash === undefined || text === undefined) return undefined;
  return { hash, text: gunzipSync(Buffer.from(text, "base64")).toString() };
}
