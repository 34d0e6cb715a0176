import { fail } from "../contracts/errors.ts";
import type { PagePicture } from "../contracts/page-reads.contract.ts";
import type { ScrapeRequest } from "../contracts/scraper.contract.ts";
import { maxPictureBytes } from "../domain/watch/watch-pictures.ts";
import type { PageTools } from "./context.ts";
import { fetchPage } from "./fetch/fetch-page.ts";
import type { PageOrder } from "./page-request.ts";
import { blocked, readPage } from "./read-page.ts";
import { fetchOptions } from "./scrape-page.ts";
import { storeScreenshot } from "./screenshots.ts";
import { inSession, isWalled } from "./sessions/in-session.ts";
import type { SessionOf } from "./sessions/sessions.store.ts";

/** A request for a picture of a page that a person points at. `owner`: who may see it. */
export interface PointingRequest {
  keyId: string;
  owner: string;
  request: ScrapeRequest;
  selectors: string[];
  /** The session that it is read in. */
  session?: SessionOf | undefined;
}

/** Takes a picture of a page, keeps it for a day, and says where on it the elements are that selectors match. */
export async function picturePage(
  { request, selectors, ...requester }: PointingRequest,
  tools: PageTools,
): Promise<PagePicture> {
  const signal = AbortSignal.timeout(request.timeout);
  const group = `${requester.keyId} ${URL.parse(request.url)?.host ?? ""}`;
  const deadline = Date.now() + request.timeout;
  const order: PageOrder = {
    ...requester,
    group,
    deadline,
    signal,
    boxesOf: selectors,
    isShortPicture: true,
  };
  const visit = async (visiting: PageOrder) => {
    const fetched = await fetchPage(request.url, fetchOptions(request, visiting, tools));
    return await readPage(request, fetched, visiting, tools);
  };
  const page = await inSession(request, order, tools, visit, isWalled);
  const { picture, boxes = [], pictureSize, digest } = page;
  if (digest.wall !== null) throw blocked(digest.wall);
  if (picture === undefined || pictureSize === undefined)
    throw fail("upstream_error", "The browser took no picture of this page.");
  if (picture.length > maxPictureBytes)
    throw fail("upstream_error", "The picture of this page is too large.");
  return { key: await storeScreenshot(picture, order, tools), ...pictureSize, boxes };
}
