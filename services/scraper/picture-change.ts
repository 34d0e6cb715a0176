import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { fail } from "../contracts/errors.ts";
import type { ChangePictures } from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { maxPictureBytes, pictureKey, pictureTtlMs, readPictureKey } from "../domain/watch/watch-pictures.ts";
import type { PageTools } from "./context.ts";
import { fetchPage } from "./fetch/fetch-page.ts";
import type { PageOrder } from "./page-request.ts";
import { blocked, readPage } from "./read-page.ts";
import { fetchOptions } from "./scrape-page.ts";
import { inSession, isWalled } from "./sessions/in-session.ts";
import type { SessionOf } from "./sessions/sessions.store.ts";

/** A request for a picture of a page that keys watch. */
export interface PictureRequest {
  keyId: string;
  owner: string;
  request: ScrapeRequest;
  watchId: string;
  kept?: string;
  session?: SessionOf | undefined;
}

/**
 * Takes a picture, stores it with the last one and with what differs, and keeps it for the next time in place of the last
 * one. What is kept has no time of its own: a page may stay as it is for a year.
 */
export async function pictureChange(
  { request, watchId, kept, ...requester }: PictureRequest,
  tools: PageTools,
): Promise<{ pictures: ChangePictures; kept: string; bytes: number }> {
  const signal = AbortSignal.timeout(request.timeout);
  const group = `${requester.keyId} ${URL.parse(request.url)?.host ?? ""}`;
  const order: PageOrder = {
    ...requester,
    group,
    deadline: Date.now() + request.timeout,
    signal,
    isShortPicture: true,
  };
  const visit = async (visiting: PageOrder) =>
    await readPage(
      request,
      await fetchPage(request.url, fetchOptions(request, visiting, tools)),
      visiting,
      tools,
    );
  const { picture, digest } = await inSession(request, order, tools, visit, isWalled);
  if (digest.wall !== null) throw blocked(digest.wall);
  if (picture === undefined) throw fail("upstream_error", "The browser took no picture of this page.");
  if (picture.length > maxPictureBytes)
    throw fail("upstream_error", "The picture of this page is too large.");
  const owner = ownerOf(watchId);
  const last = kept === undefined ? null : await readBlob(tools, kept, owner);
  const found = last && (await tools.extraction.run("pictureDifference", [last, picture], { ...order }));
  const differs = found && found.length <= maxPictureBytes ? found : null;
  const put = async (bytes: Uint8Array | null) =>
    bytes &&
    pictureKey(
      await tools.blobs.put(bytes, { owner, contentType: "image/png", ttlMs: pictureTtlMs }),
      watchId,
    );
  const pictures = {
    before: await put(last),
    after: (await put(picture)) as string,
    difference: await put(differs),
  };
  const bytes = (last?.length ?? 0) + picture.length + (differs?.length ?? 0);
  return { pictures, kept: await keep(picture, { watchId, kept, owner }, tools), bytes };
}

/** In one of two groups, so that the last one is there until the event is stored. */
async function keep(
  picture: Uint8Array,
  { watchId, kept, owner }: { watchId: string; kept: string | undefined; owner: string },
  { blobs }: Pick<PageTools, "blobs">,
): Promise<string> {
  const [even, odd] = groupsOf(watchId);
  const group = kept?.startsWith("0.") ? odd : even;
  await blobs.dropGroup(group);
  const key = await blobs.put(picture, { owner, contentType: "image/png", group });
  return `${group === even ? 0 : 1}.${key}`;
}

/** Removes what is kept of a watch. The pictures of its events stay until their time is over. */
export async function forgetPictures(watchId: string, { blobs }: Pick<PageTools, "blobs">): Promise<void> {
  for (const group of groupsOf(watchId)) await blobs.dropGroup(group);
}

function groupsOf(watchId: string): [even: string, odd: string] {
  return [`watch ${watchId} 0`, `watch ${watchId} 1`];
}

function ownerOf(watchId: string): string {
  return `watch ${watchId}`;
}

async function readBlob(
  { blobs }: Pick<PageTools, "blobs">,
  kept: string,
  owner: string,
): Promise<Uint8Array | null> {
  const blob = await blobs.open(kept.slice(2), owner);
  return blob && (await buffer(blob.body));
}

/** Opens the picture of a key: of a scrape for its owner, of a watch for the keys that track its source. */
export async function openPicture(
  key: string,
  { owner, isTracking }: { owner: string; isTracking(watchId: string): Promise<boolean> },
  { blobs }: Pick<PageTools, "blobs">,
): Promise<{ contentType: string; body: Readable } | null> {
  const named = readPictureKey(key);
  if (named === null) return await blobs.open(key, owner);
  const { blobKey, watchId } = named;
  return (await isTracking(watchId)) ? await blobs.open(blobKey, ownerOf(watchId)) : null;
}
