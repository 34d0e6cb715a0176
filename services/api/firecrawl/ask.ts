import type { Readable } from "node:stream";
import { type Action, call } from "../../contracts/action.ts";
import type { Caller } from "../../contracts/caller.ts";
import { codeOf, fail } from "../../contracts/errors.ts";
import type { Rule } from "../../contracts/schema.ts";
import { type FinishedScrape, scrape } from "../../contracts/scraper.contract.ts";
import { type Document, documentOf, type PageData, pictureKeys } from "../../domain/firecrawl/document.ts";
import { linksTo } from "../http/links.ts";
import { checkParams } from "../request/check-params.ts";
import { originOf } from "../request/negotiate.ts";
import { idempotencyKeyOf } from "../request/request.ts";
import { sendUpload } from "../request/uploads.ts";
import type { AnswerContext, OwnAnswer, OwnRequest } from "../routes/route.ts";
import { type FieldNames, inTheirNames } from "./failure.ts";

const timeoutMs = 15_000;

/** A request in another program's form: what its answer is made with. */
export interface Asked {
  context: AnswerContext;
  req: OwnRequest;
  caller: Caller;
  /** The address under which the client reaches this gateway. */
  origin: string;
}

/** An answer in another program's form. `rules` are checked for queries, too, where the gateway checks bodies only. */
export function answerWith<Body>(
  rules: Record<string, Rule>,
  answer: (asked: Asked, body: Body) => unknown,
): OwnAnswer {
  return {
    kind: "own",
    params: rules,
    async answer(context, params, req) {
      if (req.method === "GET") checkParams(rules, params);
      const caller = req.admission?.caller;
      if (!caller) throw fail("unauthorized", "This operation needs an API key.");
      return { body: await answer({ context, req, caller, origin: originOf(context, req) }, params as Body) };
    },
  };
}

interface AskOptions {
  timeout?: number;
  /** Names of our fields in the client's request. */
  names?: FieldNames;
  /** Whether the request's idempotency key counts for this call. */
  idempotent?: boolean;
  /** Whether the file of the request goes with the call. */
  withUpload?: boolean;
}

/** Calls a service as the key that the request came with. The validator of the service fills in what is left out. */
export async function ask<Params, Result>(
  { context, req, caller }: Asked,
  action: Action<Params, Result>,
  params: object,
  { timeout = timeoutMs, names = [], idempotent = false, withUpload = false }: AskOptions = {},
): Promise<Result> {
  const key = idempotent ? idempotencyKey(req) : undefined;
  const { acting } = req.admission ?? {};
  const meta = { caller, ...(acting && { acting }), ...(key !== undefined && { idempotencyKey: key }) };
  try {
    const run = (stream?: Readable) =>
      call(req.$ctx ?? context.broker, action, params as Params, {
        ...{ timeout, meta, ...(stream && { stream }) },
      });
    return await (withUpload ? sendUpload(req, run) : run());
  } catch (error) {
    throw inTheirNames(error, names);
  }
}

/** Firecrawl's clients send the header under a name of their own. */
function idempotencyKey({ headers }: OwnRequest): string | undefined {
  return idempotencyKeyOf({ "idempotency-key": headers["x-idempotency-key"] ?? headers["idempotency-key"] });
}

/** Links to the pictures of pages, by their keys. */
export async function picturesOf(
  { context, req, origin }: Asked,
  pages: PageData[],
): Promise<Map<string, string>> {
  const keys = pictureKeys(pages);
  const links = await linksTo(
    context,
    req,
    origin,
    keys.map(key => `/web/screenshot/${key}`),
  );
  return new Map(keys.map((key, at) => [key, links[at] ?? key]));
}

/** Pages of one request that are read at a time: fewer than a key may have. */
const atATime = 4;
const shortestMs = 1000;
const longestMs = 60_000;

/**
 * Reads pages for one answer, in the order of their URLs. A page that cannot be read, or for which no time is left, is a
 * document with `metadata.error`, so that the others are not lost with it.
 */
export async function readAll(
  asked: Asked,
  urls: string[],
  page: object,
  until: number,
): Promise<Document[]> {
  const documents: Document[] = [];
  const rest = urls.entries();
  const read = async () => {
    for (const [at, url] of rest) documents[at] = await readOne(asked, url, page, until);
  };
  await Promise.all(Array.from({ length: atATime }, read));
  return documents;
}

async function readOne(asked: Asked, url: string, page: object, until: number): Promise<Document> {
  const timeout = Math.min(until - Date.now(), longestMs);
  if (timeout < shortestMs) return failed(url, "There was no time left to read this page.");
  try {
    const request = { url, timeout: Math.floor(timeout), ...page };
    const { data, scrape_id } = await ask(asked, scrapeNow, request, { timeout: timeout + 5000 });
    return documentOf(data, {
      sourceUrl: url,
      scrapeId: scrape_id,
      pictures: await picturesOf(asked, [data]),
    });
  } catch (error) {
    // What is wrong with the options is wrong with every page.
    if (codeOf(error) === undefined || codeOf(error) === "validation_failed") throw error;
    return failed(url, (error as Error).message);
  }
}

function failed(sourceURL: string, error: string): Document {
  return { metadata: { sourceURL, error } };
}

/** Scrapes while the client waits for the answer. */
export const scrapeNow = scrape as Action<unknown, FinishedScrape>;
