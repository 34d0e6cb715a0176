import { pagesOf } from "../../../mixins/store/pages.ts";
import { splitNetwork } from "../../contracts/source.ts";
import { refusal } from "../connectors.ts";
import type { TrackerContext } from "../context.ts";
import { isSocial } from "../source-kinds.ts";
import { type Address, addressOf, inAnyView, type StoredSource } from "../sources.store.ts";

const pageSize = 200;

function siteKey(id: string): string {
  return `site ${id}`;
}

export function addressKey({ kind, externalId }: Address): string {
  return `${kind} ${externalId}`;
}

/** An address; of a site the one stored source, which has pages of its own. */
type Ending = Address & Partial<Pick<StoredSource, "_id">>;

/** Before a source is followed, and before it is deleted. */
export async function addPendingUnfollow(
  { pendingUnfollows }: Pick<TrackerContext, "pendingUnfollows">,
  source: Ending,
): Promise<void> {
  const { kind, externalId } = addressOf(source);
  const { _id: id } = source;
  if (kind === "site" && id !== undefined) {
    await pendingUnfollows.upsert(siteKey(id), { $set: { kind, externalId, id } });
    return;
  }
  await pendingUnfollows.upsert(addressKey({ kind, externalId }), { $set: { kind, externalId } });
}

/** Once the source exists, before it is tracked. */
export async function cancelPendingUnfollow(
  { pendingUnfollows }: Pick<TrackerContext, "pendingUnfollows">,
  source: Ending,
): Promise<void> {
  const { kind, _id: id } = source;
  await pendingUnfollows.remove(
    kind === "site" && id !== undefined ? siteKey(id) : addressKey(addressOf(source)),
  );
}

/** Has the platform unfollow a source, unless somebody tracks it by now. Rejects when it has to be tried again. */
export async function unfollow(context: TrackerContext, source: Ending): Promise<void> {
  if (source.kind === "site" && source._id !== undefined)
    return await forgetSite(context, source, source._id);
  await unfollowAddress(context, source);
}

/** Has the pages of a view of a site removed that nobody tracks any more. */
async function forgetSite(context: TrackerContext, source: Address, id: string): Promise<void> {
  if (await context.sources.findById(id)) return;
  const { kind, externalId } = addressOf(source);
  await askToUnfollow(context, { kind, externalId, id });
  await context.pendingUnfollows.remove(siteKey(id));
}

function unfollowAddress(context: TrackerContext, source: Address): Promise<void> {
  const { kind, externalId } = addressOf(source);
  const address = addressKey({ kind, externalId });
  return context.mutex.run(address, async () => {
    if (!(await context.pendingUnfollows.findById(address))) return;
    if (!(await context.sources.findOne(inAnyView({ kind, externalId }))))
      await askToUnfollow(context, { kind, externalId });
    await context.pendingUnfollows.remove(address);
  });
}

/** A refusal is final: a platform does not push what it does not know or does not permit. */
async function askToUnfollow(context: TrackerContext, source: Address & { id?: string }): Promise<void> {
  try {
    await context.unfollow(source);
  } catch (error) {
    if (refusal(error) === null) throw error;
    context.onUnfollowFailed(source, error);
  }
}

/**
 * Has the platforms unfollow everything that nobody tracks. After a failure the network is left alone until the next
 * time.
 */
export async function unfollowAll(context: TrackerContext, signal: AbortSignal): Promise<void> {
  const failed = new Set<string>();
  const placeOf = ({ kind, externalId }: Address) =>
    isSocial(kind) ? `${kind} ${splitNetwork(externalId).network ?? ""}` : kind;
  for await (const some of pagesOf(context.pendingUnfollows, { limit: pageSize, signal }))
    for (const end of some) {
      if (signal.aborted || failed.has(placeOf(end))) continue;
      const { id, ...address } = end;
      await unfollow(context, { ...address, ...(id !== undefined && { _id: id }) }).catch(error => {
        failed.add(placeOf(end));
        context.onUnfollowFailed(end, error);
      });
    }
}
