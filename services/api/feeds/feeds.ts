import { createHash } from "node:crypto";
import type { Verdict } from "../../../mixins/coordination/limiter/limiter.ts";
import { call } from "../../contracts/action.ts";
import { fail } from "../../contracts/errors.ts";
import {
  createFeed,
  type FeedFormat,
  type FeedRecord,
  feedFormats,
  listFeeds,
  type NewFeed,
  readFeed,
  storedFeed,
} from "../../contracts/feeds.contract.ts";
import { pageWith } from "../../contracts/paging.ts";
import { named, text, withMessage } from "../../contracts/schema.ts";
import { clientAddress } from "../http/guess-limiter.ts";
import { requireScope, requireUnexpired } from "../http/standing.ts";
import { checkParams } from "../request/check-params.ts";
import { originOf } from "../request/negotiate.ts";
import { idempotencyKeyOf } from "../request/request.ts";
import type { AnswerContext, OwnAnswer, OwnReply, OwnRequest } from "../routes/route.ts";

const feed = named("EventFeed", {
  ...storedFeed,
  atom_url: { ...text, description: "The feed as Atom, for any feed reader." },
  json_url: { ...text, description: "The same as JSON Feed 1.1." },
});

/** Makes a feed, and says where it is read. */
export const newFeed: OwnAnswer = {
  kind: "own",
  params: createFeed.params,
  result: withMessage(feed),
  async answer(context, params, req) {
    const { timeout, meta } = optionsOf(req);
    const options = { timeout, meta: { ...meta, idempotencyKey: idempotencyKeyOf(req.headers) } };
    const { data, message } = await call(busOf(context, req), createFeed, params as NewFeed, options);
    return { status: 201, body: { data: withAddresses(data, originOf(context, req)), message } };
  },
};

export const ownFeeds: OwnAnswer = {
  kind: "own",
  params: listFeeds.params,
  result: pageWith(feed),
  async answer(context, params, req) {
    checkParams(listFeeds.params, params);
    const { data, ...page } = await call(busOf(context, req), listFeeds, params, optionsOf(req));
    const origin = originOf(context, req);
    return { body: { data: data.map(each => withAddresses(each, origin)), ...page } };
  },
};

const types = { atom: "application/atom+xml; charset=utf-8", json: "application/feed+json; charset=utf-8" };
/** A file's name is a token and a format. */
const fileName = /^([\w-]{22})\.(atom|json)$/;
const readTimeoutMs = 15_000;
/** The scopes of which a key needs any one so that its feeds are served. */
const feedScopes = ["read", "track"] as const;

/** The document of a feed, for whom its address is known. Addresses that lead nowhere are counted, as wrong keys are. */
export const feedDocument: OwnAnswer = {
  kind: "own",
  params: {
    $$strict: true,
    feed: { type: "string", min: 1, max: 64, description: "The token, and `.atom` or `.json`." },
  },
  async answer(context, params, req) {
    const name = String(params.feed);
    const [, token, format = ""] = fileName.exec(name) ?? [];
    await spendReading(context, req, name);
    const origin = originOf(context, req);
    const known = knownTags(req);
    const options = { timeout: readTimeoutMs };
    // A name of no feed's form is looked up as well, so that it takes as long as any other.
    const asked = {
      token: token ?? name,
      format: isFormat(format) ? format : "atom",
      origin,
      known,
    } as const;
    const found = await call(busOf(context, req), readFeed, asked, options);
    if (!found || token === undefined || !isFormat(format)) throw await unknown(context, req);
    await requireStanding(context, found.key_id);
    const links = [`<${origin}/feeds/${token}.${format}>; rel="self"`];
    if (found.hub !== null) links.push(`<${found.hub}>; rel="hub"`);
    const headers = {
      etag: found.etag,
      "last-modified": new Date(found.last_modified).toUTCString(),
      // Readers may keep it and ask whether it is still the newest; caches between them may not.
      "cache-control": "private, no-cache",
      link: links.join(", "),
      "x-robots-tag": "noindex",
    };
    return { type: types[format], headers, body: found.body ?? "" } satisfies OwnReply;
  },
};

/** A feed opens what its key may read, as long as the key does. */
async function requireStanding(context: AnswerContext, keyId: string): Promise<void> {
  const caller = await context.keyById.find(keyId);
  // The feeds of a deleted key are deleted with it.
  if (!caller) return;
  requireUnexpired(caller, context.now(), "The API key of this feed");
  requireScope(caller, feedScopes);
}

/** Readings a minute: of one feed, and by one client, which may be a service that reads for many people. */
const [mostOfFeed, mostOfClient] = [60, 600];
const windowMs = 60_000;

/** Throws 429 where a feed, or a client, has had enough. */
async function spendReading(context: AnswerContext, req: OwnRequest, name: string): Promise<void> {
  const { limiter, trustedProxies } = context;
  const client = await limiter.consume(`feeds-by:${clientAddress(req, trustedProxies)}`, {
    limit: mostOfClient,
    windowMs,
  });
  if (!client.allowed) throw tooOften(client, `from one address ${mostOfClient} readings of feeds`);
  // The token is a secret, which no counter needs to know.
  const place = createHash("sha256").update(name).digest("base64url");
  const ofFeed = await limiter.consume(`feed:${place}`, { limit: mostOfFeed, windowMs });
  if (!ofFeed.allowed) throw tooOften(ofFeed, `${mostOfFeed} readings of a feed`);
}

function tooOften({ retryAfterMs }: Verdict, what: string): Error {
  const retry_after = Math.max(1, Math.ceil(retryAfterMs / 1000));
  return fail("rate_limited", `At most ${what} a minute are allowed. Try again in ${retry_after} s.`, {
    retry_after,
  });
}

function isFormat(word: string | undefined): word is FeedFormat {
  return (feedFormats as readonly (string | undefined)[]).includes(word);
}

/** 429 for a client that has asked for too many. */
async function unknown({ feedGuesses, trustedProxies }: AnswerContext, req: OwnRequest): Promise<Error> {
  await feedGuesses.count(clientAddress(req, trustedProxies));
  return fail("not_found", "There is no feed at this address. It may have been deleted.");
}

function knownTags({ headers }: OwnRequest): string[] {
  const tags = headers["if-none-match"]?.split(",") ?? [];
  return tags.map(tag => tag.trim().replace(/^W\//, "")).slice(0, 20);
}

function busOf({ broker }: AnswerContext, { $ctx }: OwnRequest) {
  return $ctx ?? broker;
}

function optionsOf({ admission }: OwnRequest) {
  return { timeout: readTimeoutMs, meta: { caller: admission?.caller } };
}

function withAddresses(feed: FeedRecord, origin: string) {
  const address = `${origin}/feeds/${feed.token}`;
  return { ...feed, atom_url: `${address}.atom`, json_url: `${address}.json` };
}
