import { within } from "../../../mixins/async/timeout.ts";
import type { CDPSession, Session } from "../../../mixins/browser/session.ts";
import type { OutputOptions } from "../../contracts/page-options.ts";
import { evaluateApart } from "./find-element.ts";
import { joinPictures } from "./join-pictures.ts";
import { scrollThrough, untilPictured } from "./scroll-through.ts";
import type { Stage } from "./stage.ts";

/** The largest side of an image that Chromium's compositor draws, and the height of the longest picture that is joined. */
const [maxPixels, maxJoinedPixels] = [16_384, 32_000];
/** The height of a part of a joined picture in CSS pixels, and its pixels in all: a part is in memory as a whole. */
const [partHeight, maxPartPixels] = [4096, 8 * 1024 * 1024];
/** How long a page is scrolled so that its parts are drawn. */
const scrollMs = 8000;
/** How long a page may take to be drawn before what it loads is taken for the reason. */
const drawMs = 2000;

export interface Picture {
  png: Uint8Array;
  /** Heights in CSS pixels, where the page is longer than the picture. */
  cut?: { shown: number; height: number };
}

/** The size of a picture of a whole page, in CSS pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

/**
 * A PNG of the viewport, or of the whole page, whose parts have been in view then. `isLong`: parts are joined where the page
 * is longer than what can be drawn at once; otherwise the picture ends there.
 */
export async function takePicture(
  stage: Stage,
  extent: OutputOptions["screenshot"],
  isLong: boolean,
): Promise<Picture> {
  const { session } = stage;
  if (extent !== "full_page") return { png: await drawn(stage, draw(session.cdp)) };
  const ratio = await pixelRatio(session);
  const most = isLong ? Math.floor(maxJoinedPixels / ratio) : maxPixels / 2;
  if (await isLonger(session)) {
    await scrollThrough(stage, { maxHeight: most, maxMs: scrollMs });
    await untilPictured(stage);
  }
  const { cssContentSize, cssVisualViewport } = await session.cdp.send("Page.getLayoutMetrics");
  const scale = 1 / Math.max(1, cssVisualViewport.scale);
  const width = Math.min(cssContentSize.width, maxPixels / 2);
  const shown = Math.min(cssContentSize.height, most);
  const part = (y: number, height: number) =>
    drawn(stage, draw(session.cdp, { x: 0, y, width, height, scale }));
  const isLarge = isLong && width * shown * ratio ** 2 > 3 * maxPartPixels;
  if (shown <= maxPixels / 2 && !isLarge) return cutAt(await part(0, shown), shown, cssContentSize.height);
  const atOnce = Math.min(partHeight, Math.max(1, Math.floor(maxPartPixels / (width * ratio ** 2))));
  const parts = new Parts(stage, part, { shown, atOnce });
  const png = await joinPictures(parts.draw());
  return cutAt(png, parts.height, cssContentSize.height);
}

function cutAt(png: Uint8Array, shown: number, height: number): Picture {
  return shown < Math.floor(height) ? { png, cut: { shown, height: Math.floor(height) } } : { png };
}

interface Extent {
  /** Heights in CSS pixels: what is wanted, and of one part. */
  shown: number;
  atOnce: number;
}

/** Draws a page part by part, as long as the next one is likely to be joined before its time is over. */
export class Parts {
  readonly #stage: Pick<Stage, "deadline" | "signal">;
  readonly #part: (y: number, height: number) => Promise<Uint8Array>;
  readonly #wanted: Extent;
  /** What was drawn. */
  height = 0;

  constructor(
    stage: Pick<Stage, "deadline" | "signal">,
    part: (y: number, height: number) => Promise<Uint8Array>,
    wanted: Extent,
  ) {
    this.#stage = stage;
    this.#part = part;
    this.#wanted = wanted;
  }

  async *draw(): AsyncGenerator<Uint8Array> {
    const { deadline, signal } = this.#stage;
    const { shown, atOnce } = this.#wanted;
    let longestMs = 0;
    while (this.height < shown && (this.height === 0 || Date.now() + longestMs < deadline)) {
      signal.throwIfAborted();
      const from = Date.now();
      const height = Math.min(atOnce, shown - this.height);
      const picture = await this.#part(this.height, height);
      this.height += height;
      yield picture;
      // With the time in which it was joined.
      longestMs = Math.max(longestMs, Date.now() - from);
    }
  }
}

/** Nothing is drawn while a style sheet of the head is on its way: a page that is not drawn in time loads nothing more. */
async function drawn(
  { session: { cdp }, load }: Pick<Stage, "session" | "load">,
  picture: Promise<Uint8Array>,
): Promise<Uint8Array> {
  const isDrawn = await within(
    drawMs,
    picture.then(() => true),
    () => false,
  );
  if (!isDrawn && !load.isLoaded()) await cdp.send("Page.stopLoading");
  return await picture;
}

interface Area extends PictureSize {
  x: number;
  y: number;
  scale: number;
}

async function draw(cdp: CDPSession, clip?: Area): Promise<Uint8Array> {
  const { data } = await cdp.send("Page.captureScreenshot", {
    format: "png",
    ...(clip && { captureBeyondViewport: true, clip }),
  });
  return Buffer.from(data, "base64");
}

async function isLonger({ cdp }: Session): Promise<boolean> {
  const { cssContentSize, cssLayoutViewport } = await cdp.send("Page.getLayoutMetrics");
  return cssContentSize.height > cssLayoutViewport.clientHeight + 1;
}

async function pixelRatio(session: Session): Promise<number> {
  return Math.max(1, await evaluateApart<number>(session, "devicePixelRatio"));
}

/** The size of a picture that is not joined. */
export async function pictureSize({ cdp }: Session): Promise<PictureSize> {
  const { width, height } = (await cdp.send("Page.getLayoutMetrics")).cssContentSize;
  return { width: Math.min(width, maxPixels / 2), height: Math.min(height, maxPixels / 2) };
}
