import { addAbortSignal, type Readable } from "node:stream";
import { withTimeout } from "../../mixins/async/timeout.ts";
import { digestOf } from "../../mixins/store/idempotency.ts";
import { codeOf, fail, invalid } from "../contracts/errors.ts";
import type { DocumentData, ParsedDocument, ParseRequest } from "../contracts/parse.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { present } from "../domain/json/fields.ts";
import { checkPageOptions } from "../domain/page-options/page-options.ts";
import type { PageTools, ScraperContext, Submission } from "./context.ts";
import { modelFormats } from "./extract/model-formats.ts";
import type { FetchedPage } from "./fetch/fetch-page.ts";
import { takeSlot } from "./jobs/slots.ts";
import { chargeScrape, settleScrape } from "./page-charge.ts";
import type { PageOrder } from "./page-request.ts";
import { readPage } from "./read-page.ts";
import { newScrapeId } from "./scrapes.store.ts";

/** A document with its bytes, and who sent it. */
export interface SentDocument extends Pick<Submission, "caller" | "requestId" | "onCharged"> {
  /** Undefined where the bytes were lost on the way. */
  body: Readable | undefined;
}

/**
 * Reads a document that was sent. It counts as a page, and as one of the scrapes that a key may run at a time; nothing of
 * it is kept. The answer is its data, or 408 `scrape_timeout`. An error of the stream ends it, also one behind the bytes:
 * the client has gone.
 */
export async function parseDocument(
  context: ScraperContext,
  tools: PageTools,
  request: ParseRequest,
  sent: SentDocument,
): Promise<ParsedDocument> {
  const { body } = sent;
  const gone = new AbortController();
  body?.on("error", cause => gone.abort(lost(cause)));
  try {
    checkOptions(request.options);
    return await parseInSlot(context, tools, request, { ...sent, gone: gone.signal });
  } finally {
    // What still comes of a file that nobody reads is dropped.
    body?.destroy();
  }
}

async function parseInSlot(
  context: ScraperContext,
  tools: PageTools,
  { file, options }: ParseRequest,
  { caller, requestId, onCharged, body, gone }: SentDocument & { gone: AbortSignal },
): Promise<ParsedDocument> {
  const release = await takeSlot(context, caller, requestId);
  let outcome: Promise<unknown> | undefined;
  try {
    const { keyId, owner } = caller;
    const id = newScrapeId();
    const charge = await chargeScrape(context, { _id: id, keyId, charge: digestOf([requestId, "parse"]) });
    if (charge) onCharged?.(charge.quotas);
    const started_at = new Date(context.now()).toISOString();
    const { timeout } = options;
    const order = { keyId, owner, group: keyId, proxyUrl: undefined, deadline: context.now() + timeout };
    const reading = readWithin(timeout, gone, async signal =>
      documentData(await bytesOf(body, file.size, signal), { file, options }, { ...order, signal }, tools),
    );
    outcome = reading;
    const settled = { _id: id, keyId, ...(charge && { charge: charge.charge }) };
    const data = await reading.catch(async error => {
      await settleScrape(context, settled, { ok: false, error });
      throw error;
    });
    await settleScrape(context, settled, { ok: true, data: { metadata: {} } });
    return { data, started_at, ended_at: new Date(context.now()).toISOString() };
  } finally {
    void Promise.resolve(outcome).then(release, release);
  }
}

/** Runs the reading, which ends after so many milliseconds, or when the client has gone. */
async function readWithin<Result>(
  timeoutMs: number,
  gone: AbortSignal,
  read: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  return await withTimeout(timeoutMs, gone, signal =>
    read(signal).catch(error => {
      if (!signal.aborted) throw error;
      if (signal.reason === gone.reason) throw gone.reason;
      throw fail("scrape_timeout", `The document was not read within ${timeoutMs} ms.`, {}, error);
    }),
  );
}

/** The stream stays open behind the bytes. */
async function bytesOf(body: Readable | undefined, size: number, signal: AbortSignal): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let read = 0;
  const stream = body && addAbortSignal(signal, body).iterator({ destroyOnReturn: false });
  for await (const piece of stream ?? []) {
    read += piece.length;
    pieces.push(piece);
    if (read >= size) break;
  }
  if (read !== size) throw lost();
  return Buffer.concat(pieces);
}

function lost(cause?: unknown): Error {
  const message = "The file did not arrive as a whole, or its client has gone. Send it again.";
  return fail("overloaded", message, { retry_after: 1 }, cause);
}

type Options = ParseRequest["options"];

/** Checks what the schema cannot express. Throws a 400 that names the first invalid field. */
function checkOptions({ output, request, timeout }: Options): void {
  const error = checkPageOptions({ output, request, js_render: { enabled: false } }, [], timeout);
  if (error) throw invalid(`options.${error.field}`, error.code, error.message);
}

async function documentData(
  body: Buffer,
  { file, options }: ParseRequest,
  order: PageOrder,
  tools: PageTools,
): Promise<DocumentData> {
  const request = asScrape(file.name, options);
  const fetched = asFetched(request.url, byBytes.test(file.type) ? "" : file.type, body);
  const page = await readPage(request, fetched, order, tools).catch(error => {
    throw codeOf(error) === "upstream_error" ? unreadable(error) : error;
  });
  const { markdown, html, raw_html, links, images, warning, textLength } = page.digest;
  const { tdm: _, ...metadata } = page.digest.metadata;
  const { json, warnings = [], ...byModel } = await modelFormats(request, page, order, tools);
  const { formats } = options.output;
  const own = warning ?? (textLength === 0 ? "The document has no text." : undefined);
  const said = [...(own === undefined ? [] : [own]), ...warnings].join(" ") || undefined;
  return {
    ...present({ html, raw_html, links, images, ...byModel }),
    ...(markdown !== undefined && formats.includes("markdown") && { markdown }),
    ...(json && formats.includes("json") && { json }),
    metadata: { ...metadata, file_name: file.name, ...present({ warning: said }) },
  };
}

/** Types that programs derive from a name, while the bytes say them for certain. */
const byBytes = /^application\/(?:pdf|zip|epub\+zip|vnd\.(?:openxmlformats|oasis)[^;]*)/i;

/** No site is to blame for a document that is broken, locked or too long: who sends it can mend it. */
function unreadable(error: Error): Error {
  return fail("extraction_failed", error.message, {}, error);
}

/** The document in the place of a page that was fetched. */
function asFetched(finalUrl: string, contentType: string, body: Buffer): FetchedPage {
  return { status: 200, finalUrl, redirects: [], setCookies: [], headers: {}, contentType, body };
}

/** What a scrape of the document would ask for. It has no address: what it links to by a path alone leads nowhere. */
function asScrape(name: string, { output, request, timeout, breakdown }: Options): ScrapeRequest {
  const path = encodeURIComponent(name.toWellFormed());
  return {
    ...{ url: `${noAddress}${path}`, mode: "sync", timeout, breakdown, max_age: 0 },
    output: { screenshot: "viewport", ...output },
    request: { device: "desktop", block_ads: false, skip_tls_verification: true, ...request },
    js_render: { enabled: false },
    proxy: { location: "US" },
  };
}

const noAddress = "file:///";
