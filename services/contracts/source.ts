import { type Infer, named, rule, text, time } from "./schema.ts";

/** The kinds of source, as paths name them. Those with a driver in this installation can be tracked. */
export const sourceKinds = ["microblog", "chatserver", "messenger", "web", "rss", "site", "search"] as const;
export type SourceKind = (typeof sourceKinds)[number];

/** The parameter that names a kind of source. */
export const sourceKind = rule({ type: "enum", values: sourceKinds, description: "The kind of source." });

/** The parameter that names a source of a kind by what its platform calls it. */
export const externalId = rule({ type: "string", min: 1, max: 2048 });

/** A word by which a key sorts its sources. */
const tag = {
  type: "string",
  trim: true,
  min: 1,
  max: 64,
  pattern: /^[^,\p{Cc}]+$/u,
  messages: { stringPattern: "must have no comma and no control character" },
} as const;

/** The tags of a source; each key has its own. */
export const tags = rule({
  type: "array",
  max: 20,
  unique: true,
  items: tag,
  description: "Words by which the key sorts its sources.",
});

/** The parameter that names one tag. */
export const oneTag = rule({ ...tag, optional: true, description: "Only sources with this tag of the key." });

/** A tracked source, as every answer and event shows it. All keys that track one upstream source see the same id. */
export const source = named("Source", {
  /** A UUID. */
  id: { ...text, description: "`iid` when untracking." },
  source: { ...text, description: "The kind in upper case, for example `RSS`." },
  externalId: {
    ...text,
    description: "`eid` when untracking: what the platform calls it; for pages and feeds the URL.",
  },
  username: { ...text, description: "Its handle; for pages and feeds the host." },
  name: { ...text, description: "Display name; for pages and feeds the title." },
  network: {
    ...text,
    optional: true,
    description: "Of an account, channel or chat server: its network, such as `bluesky`.",
  },
});
export type Source = Infer<typeof source>;

export const datedSource = named("DatedSource", {
  ...source.props,
  createdAt: { ...time, description: "When the calling key began to track it." },
  updatedAt: { ...time, description: "When the source last changed its name, address or state." },
});
export type DatedSource = Infer<typeof datedSource>;

/** Whether a source of the microblog is a search. Ids of accounts begin otherwise on every network. */
export function isSearch(externalId: string): boolean {
  const { rest } = splitNetwork(externalId);
  return rest.startsWith("#") || rest.startsWith("search:");
}

/** The networks of the microblog, as configuration, prefixes and `network` of a source name them. */
export const microblogNetworks = ["sandbox", "x", "bluesky", "mastodon"] as const;

const networkPrefix = /^(sandbox|x|bluesky|mastodon|discord|telegram-preview|telegram):(?!\/\/)\s*(.+)$/is;

/**
 * The network by whose name an id or a `sid` begins, as in `bluesky:ada.example`, and the rest. Ids of the default network
 * have none.
 */
export function splitNetwork(text: string): { network?: string; rest: string } {
  const [, network, rest] = networkPrefix.exec(text) ?? [];
  return network === undefined || rest === undefined
    ? { rest: text }
    : { network: network.toLowerCase(), rest };
}
