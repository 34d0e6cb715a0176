import { microblogNetworks } from "../../contracts/source.ts";
import type { SocialKind } from "./social-connector.ts";

/** The networks that a platform may have, as prefixes of a `sid` and of ids name them. */
export const networkNames: Record<SocialKind, string[]> = {
  microblog: [...microblogNetworks],
  chatserver: ["sandbox", "discord"],
  messenger: ["sandbox", "telegram", "telegram-preview"],
};

/** Hosts whose addresses are of one network, with or without `https://`. */
const hosts: Record<SocialKind, [pattern: RegExp, networks: string[]][]> = {
  microblog: [
    [/^(?:(?:www|mobile|m)\.)?(?:x|twitter)\.com$/, ["x"]],
    [/^(?:www\.)?bsky\.app$/, ["bluesky"]],
  ],
  chatserver: [[/^(?:(?:www|ptb|canary)\.)?discord(?:app)?\.(?:com|gg)$/, ["discord"]]],
  messenger: [[/^(?:www\.)?(?:t\.me|telegram\.me|telegram\.dog)$/, ["telegram", "telegram-preview"]]],
};

/** Forms that only one network has, wherever its servers are. */
const forms: Record<SocialKind, [pattern: RegExp, networks: string[]][]> = {
  microblog: [
    [/^(?:at:\/\/|did:)/i, ["bluesky"]],
    [/^https?:\/\/[^/?#]+\/profile\/[^/?#]/i, ["bluesky"]],
    // Accounts of the Fediverse, as Mastodon and others write them.
    [/^https?:\/\/[^/?#]+\/(?:@|users\/)[^/?#]/i, ["mastodon"]],
    [/^@?[\w.-]+@[a-z0-9.-]+(?::\d{1,5})?$/i, ["mastodon"]],
  ],
  chatserver: [],
  messenger: [[/^tg:/i, ["telegram", "telegram-preview"]]],
};

/** The networks one of which an address means; null for a name, which has no network of its own. */
export function addressedNetworks(kind: SocialKind, text: string): string[] | null {
  const address = text.trim();
  const host = /^(?:https?:\/\/)?([a-z0-9.-]+)(?::\d+)?(?:[/?#]|$)/i.exec(address)?.[1]?.toLowerCase() ?? "";
  const isAddress = /[/?#]/.test(address);
  const ofHost = isAddress ? hosts[kind].find(([pattern]) => pattern.test(host)) : undefined;
  return (ofHost ?? forms[kind].find(([pattern]) => pattern.test(address)))?.[1] ?? null;
}
