import { setImmediate as yieldToLoop } from "node:timers/promises";
import { encodeTime } from "ulid";
import type { Query } from "../../mixins/store/store.ts";
import type { ParamsOf } from "../contracts/action.ts";
import type { AuditActor, AuditEvent, listActs } from "../contracts/audit.contract.ts";
import type { ErasureOf } from "../contracts/erasure.contract.ts";
import { invalid } from "../contracts/errors.ts";
import type { ListPage } from "../contracts/paging.ts";
import type { KeysContext, StoredAct } from "./context.ts";

type Audit = Pick<KeysContext, "acts" | "owners">;

/**
 * Keeps an act, once for each id. Nobody names an owner by signing in wrongly; the name is kept where there is such an owner
 * only, since people type passwords into the wrong field. It is looked up in any case: no time tells who exists.
 */
export async function keepAct(
  { acts, owners }: Audit,
  { id, timestamp, data: { actor, operation, ...act } }: Omit<AuditEvent, "type">,
): Promise<null> {
  const { role, owner, key_id: keyId, signed_in } = actor;
  const { owner: named, id: identified } = act.path;
  const about = (named ?? identified ?? act.target)?.trim();
  const isKnown = role !== "nobody" || owner === null || (await owners.findById(owner)) !== null;
  const stored: StoredAct = {
    _id: id,
    type: typeOf(operation),
    timestamp,
    role,
    ...(owner !== null && isKnown && { owner }),
    ...(keyId !== null && { keyId }),
    ...(about !== undefined && { about }),
    act: { ...act, signed_in },
  };
  await acts.change(id, found => (found ? undefined : stored));
  return null;
}

type ActsRequest = ParamsOf<typeof listActs>;

/** A page of acts. `cursor` is the identity of the last act of the page before. */
export async function readActs(
  { acts }: Pick<KeysContext, "acts">,
  { cursor, limit, ...filters }: ActsRequest,
  order: "newest first" | "oldest first",
): Promise<ListPage<AuditEvent>> {
  const isDown = order === "newest first";
  const found = await acts.find({
    query: queryOf(filters, cursor === undefined ? {} : { [isDown ? "below" : "above"]: cursor }),
    sort: [isDown ? "-_id" : "_id"],
    limit: limit + 1,
  });
  const page = found.slice(0, limit);
  const next_cursor = found.length > limit ? (page.at(-1)?._id ?? null) : null;
  return { data: page.map(eventOf), next_cursor, message: "Acts listed." };
}

/** Ids begin with their time, so a time is a bound of ids. */
function queryOf(
  { since, until, actor, owner, key_id, type }: Omit<ActsRequest, "cursor" | "limit">,
  { below, above }: { below?: string; above?: string },
): Query<StoredAct> {
  const from = since === undefined ? undefined : idAt(timeIn("since", since));
  const to = until === undefined ? undefined : idAt(timeIn("until", until));
  const [before] = [to, below].filter(bound => bound !== undefined).sort();
  const _id = {
    ...(from !== undefined && { $gte: from }),
    ...(above !== undefined && { $gt: above }),
    ...(before !== undefined && { $lt: before }),
  };
  return {
    ...(Object.keys(_id).length > 0 && { _id }),
    ...(actor !== undefined && { role: actor }),
    ...(owner !== undefined && { owner }),
    ...(key_id !== undefined && { keyId: key_id }),
    ...(type !== undefined && { type: typeOf(type) }),
  };
}

function typeOf(operation: string): string {
  return operation.startsWith("audit.") ? operation : `audit.${operation}`;
}

/** The least id of a time (ms). */
function idAt(time: number): string {
  return `evt_${encodeTime(Math.min(Math.max(time, 0), latestTime), 10)}`;
}

/** The last one that 48 bits hold. */
const latestTime = 2 ** 48 - 1;

function timeIn(field: "since" | "until", text: string): number {
  const time = Date.parse(text);
  if (!Number.isNaN(time)) return time;
  throw invalid(
    field,
    "invalid_time",
    `\`${field}\` must be a day such as 2026-03-01, or a time such as 2026-03-01T09:30:00Z.`,
  );
}

function eventOf({ _id: id, type, timestamp, role, owner, keyId, act }: StoredAct): AuditEvent {
  const { signed_in, ...rest } = act;
  const actor: AuditActor = { role, owner: owner ?? null, key_id: keyId ?? null, signed_in };
  return { id, type, timestamp, data: { actor, operation: type.slice("audit.".length), ...rest } };
}

/** Acts that are changed or removed at a time: some milliseconds of work. */
const sliceSize = 500;

/** Removes the acts of before a time (ms), slice by slice, until the signal. Returns how many there were. */
export async function pruneActs(
  { acts }: Pick<KeysContext, "acts">,
  before: number,
  signal: AbortSignal,
): Promise<number> {
  const old = { _id: { $lt: idAt(before) } };
  for (let removed = 0; ; await yieldToLoop()) {
    const slice = await acts.find({ query: old, sort: ["_id"], limit: sliceSize });
    const last = slice.at(-1);
    if (!last || signal.aborted) return removed;
    removed += await acts.removeMany({ _id: { $lte: last._id } });
  }
}

/** What an act has in place of what was erased. */
const erased = "(erased)";

type Whose = Pick<ErasureOf, "owner" | "keyIds" | "sourceIds">;

/** Acts that name an erased owner, key or source stay, without its name: what others answer for stays whole. */
export async function forgetNames({ acts }: Pick<KeysContext, "acts">, whose: Whose): Promise<void> {
  const names = namesOf(whose);
  for (const query of queriesOf(names))
    for (let slice = await acts.find({ query, limit: sliceSize }); slice.length > 0; await yieldToLoop()) {
      await Promise.all(slice.map(({ _id }) => acts.change(_id, act => act && withoutNames(act, names))));
      slice = await acts.find({ query, limit: sliceSize });
    }
}

/** How many acts name an owner or keys. */
export async function countNaming({ acts }: Pick<KeysContext, "acts">, whose: Whose): Promise<number> {
  return await acts.count({ $or: queriesOf(namesOf(whose)) });
}

/** An owner who is called as what was erased has nothing to forget. */
function namesOf({ owner = erased, keyIds, sourceIds = [] }: Whose): Names {
  const actors = [owner, ...keyIds].map(name => name.trim()).filter(name => name !== erased);
  return { actors, all: new Set([...actors, ...sourceIds]) };
}

/** Names that an act is of or about, and those that it is about only. */
interface Names {
  actors: string[];
  all: ReadonlySet<string>;
}

function queriesOf({ actors, all }: Names): Query<StoredAct>[] {
  return [{ owner: { $in: actors } }, { keyId: { $in: actors } }, { about: { $in: [...all] } }];
}

function withoutNames({ act, ...stored }: StoredAct, { all: names }: Names): StoredAct {
  const isNamed = (name: string | null | undefined) => typeof name === "string" && names.has(name.trim());
  const { role, owner, keyId, about } = stored;
  const isOfOwner = isNamed(owner);
  const isTheirs = isOfOwner || (role === "key" && isNamed(keyId));
  const path = Object.entries(act.path).map(([name, value]) => [name, isNamed(value) ? erased : value]);
  return {
    ...stored,
    ...(isOfOwner && { owner: erased }),
    ...(keyId !== undefined && (isOfOwner || isNamed(keyId)) && { keyId: erased }),
    ...(isNamed(about) && { about: erased }),
    act: {
      ...act,
      path: Object.fromEntries(path),
      ...(isNamed(act.target) && { target: erased }),
      // The client chose the one, and the other may be a person's.
      ...(isTheirs && { request_id: erased, client: erased }),
    },
  };
}
