import type { SourceKind } from "../contracts/source.ts";
import type { TrackerRoom } from "./room.ts";

/** A page of the sources of a kind, whoever tracks them; `next` is where the page after it begins. */
export async function trackedOfKind(
  { sources }: TrackerRoom,
  { kind, after = "", limit }: { kind: SourceKind; after?: string; limit: number },
): Promise<{ data: { externalId: string; username: string }[]; next: string | null }> {
  const page = await sources.find({ query: { kind, _id: { $gt: after } }, sort: ["_id"], limit });
  const data = page.map(({ externalId, username }) => ({ externalId, username }));
  return { data, next: page.length < limit ? null : (page.at(-1)?._id ?? null) };
}
