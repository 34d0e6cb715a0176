import { isDeepStrictEqual } from "node:util";
import type { StoreOptions } from "../../mixins/store/store.mixin.ts";
import type { Query } from "../../mixins/store/store.ts";
import type { Checked, Post } from "../contracts/connectors.contract.ts";
import type { RunOfChecks, RunOfValue } from "../contracts/held-source.contract.ts";
import type { DatedSource, Source, SourceKind } from "../contracts/source.ts";
import type { View, WatchOptions } from "../contracts/watch.contract.ts";
import type { Listed } from "../domain/opml/opml.ts";
import type { Health } from "../domain/polling/source-health.ts";
import type { StoredProblem } from "../domain/polling/source-problem.ts";
import type { MutedLine } from "../domain/watch/line.ts";
import { monitorCollections } from "./monitors/monitors.store.ts";
import { isSocial } from "./source-kinds.ts";

/** A source as its platform knows it. */
export interface Address {
  kind: SourceKind;
  externalId: string;
}

/**
 * An upstream source, or a view of a page or feed, shared by all keys that track it. `_id` is a UUID. All views of an
 * address are neighbours in the index.
 */
export interface StoredSource extends Health {
  _id: string;
  kind: SourceKind;
  /** The address of a source. For a view with options: the address, a space, and `viewKey`. No URL has a space. */
  externalId: string;
  /** The view's options as JSON, because a schema may have names that a store does not take; absent for the default. */
  view?: string;
  /** Other views of the address may exist, and are polled together with this one. */
  hasSiblings?: true;
  username: string;
  name: string;
  /** The network of a social source; absent until it is polled, where it was tracked before networks were noted. */
  network?: string;
  /** ISO 8601; the last change of name, address or health. */
  updatedAt: string;
  /** Milliseconds; when it was made. What its history has from before came along with the subscription that it was made for. */
  madeAt?: number;
  madeFor?: string;
  /**
   * Milliseconds; when it is due to be polled. While leased: when the lease ends, so that a dead process's source is
   * due again.
   */
  dueAt: number;
  /** Milliseconds; when the last ingested poll began. */
  polledAt: number;
  /** The token of the poll under way: only its holder may write the result. */
  lease?: string;
  /** Leases taken so far: of two polls the later one has the higher number. */
  fence?: number;
  /** Small changes of the connector's state since `source_states`, and the fence of the poll that wrote them. */
  moved?: Record<string, SmallValue>;
  movedIn?: number;
  /** Milliseconds; when somebody last asked for a poll at once. */
  askedAt?: number;
  /** The last poll was asked for, and the next one goes on with it. */
  asked?: true;
  /** Why the last poll failed; only while polls fail. */
  problem?: StoredProblem;
  /** Milliseconds; when a poll last found posts. */
  lastEventAt?: number;
  /** The latest poll left new posts to the next one. */
  more?: true;
  /** The newest version of a page in the history. */
  version?: string;
  /** The checks in a row up to now; the history has them when another run begins. */
  run?: RunOfChecks;
  /** The values that the last good check saw; the history has each of them when it changes. */
  values?: RunOfValue[];
  /** Lines whose changes are muted now. */
  muted?: MutedLine[];
  /** The subscriptions that join it now: until they have, it is not deleted. */
  entering?: Record<string, true>;
  /** How often one has begun to. */
  entries?: number;
  /** New posts were announced during the poll under way: the next poll is due as soon as possible. */
  again?: true;
}

/** A poll of a page whose change is perhaps not in the log yet. */
export interface OpenPoll {
  /** Milliseconds since the epoch: when it began, and when its events were made. */
  startedAt: number;
  eventAt: number;
  /** The name of the source in its events. */
  name: string;
  /** With the times of their events, where those are known. */
  posts: (Post & { at?: number })[];
  versionId?: string;
  check: Omit<Checked, "version" | "items">;
}

/** The connector's state of a source, without the newer changes in `moved`; `_id` is the source's. */
export interface StoredState {
  _id: string;
  state: Record<string, unknown>;
  /** The fence of the poll that wrote it; absent before the first one. */
  fence?: number;
  /** That poll is under way, or a process has left it: what it told is perhaps not in the log yet. */
  open?: OpenPoll;
}

/** `_id` is a ULID, so that ids sort by the time at which a key subscribed. */
export interface StoredSubscription {
  _id: string;
  keyId: string;
  sourceId: string;
  kind: SourceKind;
  /** The kind that the key asked for, if it differs: a page may be tracked as its feed. */
  askedAs?: SourceKind;
  /** The key's own; absent without any. */
  tags?: string[];
  /** How much of the past the key wants; absent for as much as is allowed. */
  keep?: NonNullable<WatchOptions["keep"]>;
  /** The key wants what is edited and deleted, too. */
  edits?: boolean;
  /** What a document said of it from which it was imported; it is written again. `source` and `sid` are its address there. */
  listed?: Listed & { source?: SourceKind; sid?: string };
  /** ISO 8601. */
  createdAt: string;
  /** Milliseconds; the version that was there then is the first that the key may read. */
  readsFrom: number;
  /** Milliseconds: what the source has from before is the past of another key. Absent where there can be none. */
  ownFrom?: number;
}

/**
 * A change of a subscription that is under way, in the tally of its key under the subscription's id. It is there before the
 * first write of the change and until the last one, so that `settle` finishes or undoes it after a crash at any moment.
 */
export interface OpenChange {
  /** The token of the process that makes it. */
  by: string;
  /** Milliseconds; when it began. */
  at: number;
  /** The source that the subscription leaves; absent when it is new. */
  from?: string;
  /** The source that it joins; absent when it ends. */
  to?: string;
}

/** How many sources a key tracks, with those that it is about to; `_id` is the key's. */
export interface StoredTally {
  _id: string;
  sources: number;
  /** The changes of its subscriptions that are under way, by the subscription's id. */
  open?: Record<string, OpenChange>;
  /** There are some: an index finds them. */
  isOpen?: true;
  /** Changes that have ended. */
  closed?: number;
}

export const storeOptions: StoreOptions = {
  collection: "sources",
  indexes: [
    { fields: ["kind", "externalId"], unique: true },
    { fields: ["kind", "_id"] },
    { fields: ["health", "_id"] },
    { fields: ["kind", "health", "_id"] },
    { fields: ["dueAt"] },
    { fields: ["lease"], sparse: true },
  ],
  extraCollections: {
    source_states: [],
    subscriptions: [
      { fields: ["keyId", "sourceId"], unique: true },
      { fields: ["keyId", "_id"] },
      { fields: ["keyId", "kind", "_id"] },
      { fields: ["sourceId", "readsFrom"] },
    ],
    source_counts: [{ fields: ["isOpen"], sparse: true }],
    pending_unfollows: [],
    worker_sessions: [],
    track_joins: [{ fields: ["dueAt"] }, { fields: ["lease"], sparse: true }],
    track_jobs: [
      { fields: ["joinId", "keyId"] },
      { fields: ["keyId", "joinId"], unique: true, sparse: true },
      { fields: ["keyId", "_id"] },
      { fields: ["keyId", "state", "_id"] },
      { fields: ["state", "_id"] },
      { fields: ["endedAt"], sparse: true },
    ],
    ...monitorCollections,
    track_batches: [{ fields: ["keyId"] }, { fields: ["createdAt"] }],
    track_entries: [
      { fields: ["batchId", "_id"] },
      { fields: ["batchId", "status", "_id"] },
      { fields: ["dueAt"], sparse: true },
      { fields: ["lease"], sparse: true },
      { fields: ["keyId"] },
      { fields: ["createdAt"] },
    ],
  },
};

/**
 * A source that its platform may still push although nobody tracks it; `_id` is its address. It is stored before the
 * platform is asked to follow, and before a source is deleted; it is removed when the source is tracked, and after the
 * platform has unfollowed. So nothing stays followed that nobody tracks, wherever the process crashes.
 */
export interface StoredPendingUnfollow extends Address {
  _id: string;
  /** The stored source, of a site: its pages are those of one view. */
  id?: string;
}

type State = Record<string, unknown>;

/** What the source's own document may hold of the state. */
type SmallValue = string | number | boolean | null;

const longestText = 200;
const mostBytes = 500;

/** The connector's state of a source. Small changes are void when a poll has stored a state after them and died then. */
export function connectorState(
  stored: Omit<StoredState, "_id"> | null,
  { moved = {}, movedIn = 0 }: Pick<StoredSource, "moved" | "movedIn"> = {},
): State {
  return (stored?.fence ?? 0) > movedIn ? { ...stored?.state } : { ...stored?.state, ...moved };
}

/**
 * The changes since the stored state if they are small, such as an interval or a cursor: they fit in the source's
 * document, which a poll writes anyway. Null if the state has to be stored again.
 */
export function smallChanges(
  stored: Pick<StoredState, "state"> | null,
  state: State,
): Record<string, SmallValue> | null {
  const base = stored?.state ?? {};
  const names = new Set([...Object.keys(base), ...Object.keys(state)]);
  const differing = [...names].filter(name => !isDeepStrictEqual(base[name], state[name]));
  const moved = Object.fromEntries(differing.map(name => [name, state[name]]));
  if (!areSmall(moved)) return null;
  return Buffer.byteLength(JSON.stringify(moved)) <= mostBytes ? moved : null;
}

/** A removed field cannot be expressed as a change. */
function areSmall(moved: State): moved is Record<string, SmallValue> {
  return Object.values(moved).every(
    value =>
      value === null ||
      ["number", "boolean"].includes(typeof value) ||
      (typeof value === "string" && value.length <= longestText),
  );
}

/** The source as answers and events show it. */
export function publicSource(source: StoredSource): Source {
  const { _id, kind, username, name, network } = source;
  const { externalId } = addressOf(source);
  const shown = { id: _id, source: kind.toUpperCase(), externalId, username, name };
  return network === undefined ? shown : { ...shown, network };
}

/** The address of a source in whatever view. */
export function addressOf({ kind, externalId }: Address): Address {
  if (isSocial(kind)) return { kind, externalId };
  const [url = ""] = externalId.split(" ", 1);
  return { kind, externalId: url };
}

/** What a stored view has as its external id. */
export function storedId(url: string, key: string): string {
  return key === "" ? url : `${url} ${key}`;
}

/** Finds a source in all its views. */
export function inAnyView({ kind, externalId }: Address): Query<StoredSource> {
  // `!` follows the space.
  return isSocial(kind)
    ? { kind, externalId }
    : { kind, externalId: { $gte: externalId, $lt: `${externalId}!` } };
}

export function viewOf({ view }: Pick<StoredSource, "view">): View {
  return view === undefined ? {} : JSON.parse(view);
}

/** The source as a key that tracks it sees it. */
export function datedSource(source: StoredSource, { createdAt }: StoredSubscription): DatedSource {
  return { ...publicSource(source), createdAt, updatedAt: source.updatedAt };
}
