import { promisify } from "node:util";
import { zstdDecompress } from "node:zlib";
import type { Kept, NewVersion, Version } from "../../../mixins/history/history.ts";
import type { CheckedVersion, Post } from "../../contracts/connectors.contract.ts";
import { bodyIdOf, type ToldPost } from "./source-events.ts";

/*
 * What a check saw becomes a version, and its post refers to that.
 */

const decompress = promisify(zstdDecompress);

const longestTitle = 300;

/** A version as it is kept, without what was decided about it. */
export async function opened(
  sourceId: string,
  { item, title, hash, content, words }: CheckedVersion,
  id: string,
  at: number,
): Promise<Omit<NewVersion, "outcome" | "reason">> {
  const bytes = await decompress(Buffer.from(content, "base64"));
  return {
    ...{ id, sourceId, at, hash, words, content: bytes, title: title.slice(0, longestTitle) },
    ...(item !== undefined && { item }),
  };
}

/** The event of a post, to which its version refers. */
export function eventOf(
  sourceId: string,
  post: Post | undefined,
  now: number,
): Pick<Version, "eventId" | "eventAt"> {
  return post ? { eventId: bodyIdOf(sourceId, post), eventAt: now } : {};
}

/** A post that refers to its version and the one before it, null where that is not kept. */
export function toldChange(post: Post, kept: Kept, previous: string | null): ToldPost {
  return toldAt(post, kept, { version: kept.id, previous_version: previous });
}

/** A post with more data, at the time of the event that it has made already, if it has. */
export function toldAt(post: Post, { eventAt }: Kept, more: object): ToldPost {
  return { ...post, data: { ...post.data, ...more }, ...(eventAt !== undefined && { at: eventAt }) };
}
