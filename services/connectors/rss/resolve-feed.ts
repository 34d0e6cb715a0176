import { createHash } from "node:crypto";
import type { FetchedDocument } from "../../../mixins/egress/fetch-document.ts";
import type { ResolvedSource } from "../../contracts/connectors.contract.ts";
import { fail, invalid } from "../../contracts/errors.ts";
import { admitSid, namingSid } from "../admit-sid.ts";
import type { ConnectorTools } from "../connector.ts";
import { findHub } from "../websub/find-hub.ts";
import { type FoundFeed, followMove } from "./follow-move.ts";
import { validators } from "./validators.ts";

/** Finds the feed at a URL. 400 when there is no feed, 404 when there is nothing, 502 when it cannot be reached. */
export async function resolveFeed(sid: string, tools: ConnectorTools): Promise<ResolvedSource> {
  const document = await fetchSid(admitSid(sid, tools).href, tools);
  const digest = await tools.readFeed(document);
  if (!digest.ok) throw invalid("sid", "not_a_feed", digest.reason);
  return await feedSource({ document, digest }, tools);
}

/** The document at a URL that a caller gave. */
export async function fetchSid(url: string, tools: ConnectorTools): Promise<FetchedDocument> {
  const document = await tools.fetchDocument(url).catch(error => {
    throw namingSid(error);
  });
  const { status } = document;
  if (status === 404 || status === 410) throw fail("not_found", "There is nothing at this URL.");
  if (status < 200 || status > 299) throw fail("upstream_error", `The site answered with status ${status}.`);
  return document;
}

/** A feed as a source; what it holds now is its past, and not delivered. */
export async function feedSource(found: FoundFeed, tools: ConnectorTools): Promise<ResolvedSource> {
  const { document, digest, isLeaving } = await followMove(found, tools);
  const { feed, memory } = digest;
  const { host } = new URL(document.canonicalUrl);
  const name = (feed.title ?? host).slice(0, 300);
  const { ttlMinutes, skipHours, skipDays } = feed;
  const hub = findHub(document, feed);
  return {
    kind: "rss",
    externalId: document.canonicalUrl,
    username: host,
    name,
    state: {
      memory,
      intervalMs: tools.minIntervalMs,
      name,
      ...(!isLeaving && { ...validators(document), bodyHash: bodyHash(document) }),
      ...(hub && { hub }),
      asked: { ...(ttlMinutes !== undefined && { ttlMinutes }), skipHours, skipDays },
    },
  };
}

export function bodyHash({ body }: FetchedDocument): string {
  return createHash("sha256").update(body).digest("base64url");
}
