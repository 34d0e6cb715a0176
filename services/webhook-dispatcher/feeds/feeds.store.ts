import { createHmac, randomBytes } from "node:crypto";
import type { Index } from "../../../mixins/store/store.ts";
import type { EventType } from "../../contracts/events.ts";
import { seal, sealingKey, subKey, unseal } from "../../domain/key/seal.ts";

/** A feed of a key's events. */
export interface StoredFeed {
  _id: string;
  keyId: string;
  name: string | null;
  /** An empty list lets every event pass. */
  tags: string[];
  sources: string[];
  eventTypes: EventType[];
  /** Without what a judge has dismissed. */
  meaningful?: boolean;
  /** A number of its own among the feeds of the key, from 0. */
  place: number;
  /** Keyed hash of the token, by which an index finds the feed. */
  lookup: string;
  /** The token, encrypted for this key and feed, so that its owner can see the address again. */
  sealed: string;
  /** Unix milliseconds. */
  createdAt: number;
}

export const feedsCollection = "feeds";

export const feedCollections: Record<string, Index[]> = {
  [feedsCollection]: [
    { fields: ["keyId", "_id"] },
    { fields: ["keyId", "place"], unique: true },
    { fields: ["lookup"], unique: true },
  ],
};

/** The tokens of feeds: found by an HMAC that is useless without the master secret, and shown to their owners only. */
export interface FeedVault {
  issue(feed: Pick<StoredFeed, "_id" | "keyId">): Pick<StoredFeed, "lookup" | "sealed">;
  lookup(token: string): string;
  reveal(feed: Pick<StoredFeed, "_id" | "keyId" | "sealed">): string;
}

/** 128 bits. */
const tokenBytes = 16;

export function openFeedVault(masterSecret: string): FeedVault {
  const lookupKey = subKey(masterSecret, "feeds/lookup/v1");
  const tokenKey = sealingKey(masterSecret, "feeds/token/v1");
  const lookup = (token: string) => createHmac("sha256", lookupKey).update(token).digest("base64url");
  return {
    lookup,
    issue: ({ _id, keyId }) => {
      const token = randomBytes(tokenBytes).toString("base64url");
      return { lookup: lookup(token), sealed: seal(tokenKey, token, [keyId, _id], randomBytes(12)) };
    },
    reveal: ({ _id, keyId, sealed }) => unseal(tokenKey, sealed, [keyId, _id]),
  };
}
