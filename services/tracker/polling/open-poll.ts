import { updateIf } from "../../../mixins/store/update-if.ts";
import type { PollResult } from "../../contracts/connectors.contract.ts";
import type { TrackerContext, TrackerStores } from "../context.ts";
import { noteNews } from "../monitors/pages.ts";
import type { OpenPoll, StoredSource, StoredState } from "../sources.store.ts";
import { appendPosts, subscribers } from "./append-posts.ts";
import type { LeasedSource } from "./due-sources.ts";
import type { KeptVersions } from "./keep-versions.ts";
import { recordCheck } from "./record-check.ts";

/*
 * A change of a page is a difference from what was told before. A poll that is repeated after a crash would find another
 * difference when the page has changed meanwhile, beside the one that a log may have already. So the change is stored with
 * the state that follows from it before it is told, and whoever polls the page next tells it first.
 */

type Ok = Extract<PollResult, { ok: true }>;

/** What has to be told of a poll whatever the next one finds; undefined where a repeat would find the same posts. */
export function openPoll(
  { kind }: StoredSource,
  { check }: Ok,
  { posts, versionId }: KeptVersions,
  told: Pick<OpenPoll, "name" | "startedAt" | "eventAt">,
): OpenPoll | undefined {
  if (kind !== "web" || posts.length === 0 || !check || check.items) return undefined;
  const { version: _, ...said } = check;
  return { ...told, posts, ...(versionId !== undefined && { versionId }), check: said };
}

/** Stores a state. False where a later poll has stored one: a process that was suspended must not replace it. */
export async function storeState(
  states: TrackerStores["states"],
  state: StoredState & { fence: number },
): Promise<boolean> {
  let isLate = false;
  // The write that frees the source comes after it and waits for the disk.
  await states.change(
    state._id,
    current => {
      isLate = (current?.fence ?? 0) > state.fence;
      return isLate ? undefined : state;
    },
    "end of process",
  );
  return !isLate;
}

/** A source that is leased, with its state. */
interface Loaded {
  source: LeasedSource;
  stored: StoredState | null;
}

/** Finishes the poll that a process has left open. */
export async function finishOpenPoll(context: TrackerContext, { source, stored }: Loaded): Promise<Loaded> {
  const { _id, lease, leaseUntil, fence = 0, movedIn = 0 } = source;
  // A process that was suspended may have stored it after a later poll had ended.
  if (stored?.open === undefined || (stored.fence ?? 0) < movedIn) return { source, stored };
  const { open, ...kept } = stored;
  const closed = { ...kept, fence };
  const { name, posts, check, startedAt, eventAt } = open;
  const named = { ...source, name };
  await appendPosts(context, named, await subscribers(context, _id), posts, leaseUntil);
  await noteNews(context, named, posts, eventAt);
  const result = { ok: true as const, posts, state: closed.state, nextInMs: 0, check };
  const recorded = await recordCheck(context, source, result, open);
  const isHeld = (current: StoredSource) => current.lease === lease;
  const after = { ...recorded, lastEventAt: startedAt };
  const counted = await updateIf(context.sources, _id, isHeld, { $set: after }, "end of process");
  if (!counted || !(await storeState(context.states, closed))) return { source, stored };
  return { source: { ...source, ...after }, stored: closed };
}
