import { fail } from "../../contracts/errors.ts";
import { scrapeStatus } from "../../contracts/scraper.contract.ts";
import { documentOf, type PageData } from "../../domain/firecrawl/document.ts";
import { present } from "../../domain/json/fields.ts";
import { scrapeTimeout } from "../routes/scrape.routes.ts";
import { withScheme } from "./address.ts";
import { type Asked, answerWith, ask, picturesOf, scrapeNow } from "./ask.ts";
import { withoutNulls } from "./checked-part.ts";
import {
  differs,
  fieldsOf,
  type Options,
  refuseOthers,
  rules,
  rulesOf,
  same,
  type Version,
} from "./options.ts";
import { type PageBody, pageNames, pageOptionsSent, pageRequestOf } from "./page-options.ts";

/** The options of `POST /scrape`. */
export const scrapeOptions = {
  url: same({ type: "string", max: 2048 }, "url"),
  ...pageOptionsSent,
  timeout: differs(
    rules.number,
    "timeout",
    "1,000 to 600,000; the default of v1 is 30,000, of v2 60,000. The scrape continues, and `GET /v2/scrape/{id}` has it",
  ),
  maxAge: differs(
    rules.number,
    "max_age",
    "the default is 0, a fresh page; only what the same key has read counts, at most as old as results are kept",
  ),
} as const satisfies Options;

interface ScrapeBody extends PageBody {
  url: string;
  timeout?: number;
  maxAge?: number;
}

const defaultTimeoutMs: Record<Version, number> = { v1: 30_000, v2: 60_000 };
/** Ours keeps pages no longer, so an older one is never there to be had. */
const oldestMs = 604_800_000;

/** A scrape as Magpie takes it. Throws a 400 that names what it does not have. */
export function scrapeRequestOf(sent: ScrapeBody & Record<string, unknown>, version: Version) {
  const body = withoutNulls(sent);
  refuseOthers(scrapeOptions, body, version);
  const { url, timeout = defaultTimeoutMs[version], maxAge } = body;
  const max_age = maxAge === undefined ? undefined : Math.min(maxAge, oldestMs);
  return { url: withScheme(url), timeout, ...present({ max_age }), ...pageRequestOf(body, version) };
}

/** Answers `POST /scrape`. */
export const scrapeAnswer = (version: Version) =>
  answerWith<ScrapeBody & Record<string, unknown>>(rulesOf(scrapeOptions, version), async (asked, body) => {
    const request = scrapeRequestOf(body, version);
    const names = [...fieldsOf(scrapeOptions), ...pageNames()];
    const timeout = scrapeTimeout(request);
    const { data, scrape_id } = await ask(asked, scrapeNow, request, { timeout, names, idempotent: true });
    const asExtract = version === "v1" && body.formats?.includes("extract") === true;
    return {
      success: true,
      data: await documentFor(asked, data, { sourceUrl: request.url, scrapeId: scrape_id, asExtract }),
    };
  });

/** Answers `GET /scrape/{id}`. */
export const scrapeStatusAnswer = answerWith<{ id: string }>(
  { id: { type: "string", min: 1, max: 64 } },
  async (asked, { id }) => {
    const { status, url, data, error } = await ask(asked, scrapeStatus, { scrape_id: id });
    if (error) throw fail("upstream_error", error.message, { scrape_id: id });
    if (!data) return { success: true, status: "scraping", id };
    return { success: true, status, data: await documentFor(asked, data, { sourceUrl: url, scrapeId: id }) };
  },
);

/** A page with links to its pictures. */
export async function documentFor(asked: Asked, data: PageData, from: Parameters<typeof documentOf>[1]) {
  return documentOf(data, { ...from, pictures: await picturesOf(asked, [data]) });
}
