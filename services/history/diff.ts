import type { Version } from "../../mixins/history/history.ts";
import { invalid } from "../contracts/errors.ts";
import type { LineDiff } from "../contracts/history.contract.ts";
import { noSuchVersion, type Reading } from "./context.ts";
import type { Comparison } from "./forms/compare-versions.ts";
import { iso } from "./shown.ts";
import { firstReadable, keptVersion, readableVersion } from "./versions.ts";

interface Wanted {
  from?: string;
  to?: string;
  item?: string;
  as: "lines" | "unified" | "html";
}

/** How two versions differ, in the view of the key: as data, or as a text. */
export async function diffVersions(reading: Reading, wanted: Wanted): Promise<{ data: LineDiff } | string> {
  const { context, keyId, held } = reading;
  const after = await newerOf(reading, wanted);
  const before = await olderOf(reading, wanted, after);
  const task: Comparison = {
    before: before && { at: iso(before.at), kept: await keptVersion(reading, before) },
    after: { at: iso(after.at), kept: await keptVersion(reading, after) },
    view: held.view,
    as: wanted.as,
  };
  const compared = await context.reader.diff(task, keyId, context.closing);
  if (typeof compared === "string") return compared;
  const { isRough, ...diff } = compared;
  return { data: { from: before?.id ?? null, to: after.id, ...diff, truncated: isRough === true } };
}

/** Versions in which nothing counted are no one's last word. */
const outcomes = ["first", "changed", "held"] as const;

async function newerOf(reading: Reading, { to, item }: Wanted): Promise<Version> {
  if (to !== undefined) return await readableVersion(reading, to);
  const { context, held } = reading;
  const of = item === undefined ? {} : { item };
  const [latest] = await context.history.versions(held.id, { ...of, outcomes, limit: 1 });
  const found = latest && latest.at >= held.readsFrom ? latest : await firstReadable(reading, item);
  if (!found) throw noSuchVersion();
  return found;
}

async function olderOf(reading: Reading, { from }: Wanted, after: Version): Promise<Version | null> {
  const { context, held } = reading;
  if (from !== undefined) {
    const before = await readableVersion(reading, from);
    if (before.item === after.item) return before;
    throw invalid("from", "contradiction", "`from` and `to` must be versions of the same item.");
  }
  const { id, item } = after;
  const of = { before: id, limit: 1, ...(item !== undefined && { item }) };
  const [before] = await context.history.versions(held.id, { ...of, outcomes });
  if (before && before.at >= held.readsFrom) return before;
  const first = await firstReadable(reading, item);
  return first && first.id < id ? first : null;
}
