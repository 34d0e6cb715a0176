import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted, within, withTimeout } from "../../../mixins/async/timeout.ts";
import type { CDPSession, Session } from "../../../mixins/browser/session.ts";
import { fail } from "../../contracts/errors.ts";
import type { PageAction } from "../../contracts/page-actions.ts";
import type { JsRenderOptions, OutputOptions } from "../../contracts/page-options.ts";
import { maxActionsMs } from "../../domain/page-options/check-actions.ts";
import {
  bringIntoView,
  evaluateApart,
  focus,
  isThere,
  type Place,
  scrollBy,
  useElement,
} from "./find-element.ts";
import type { PageLoad } from "./page-load.ts";

/** The page to act in, and the bounds of that. */
export interface Stage {
  session: Session;
  load: PageLoad;
  /** Milliseconds since the epoch at which the page should be read. */
  deadline: number;
  signal: AbortSignal;
}

/** How long what is to be clicked, filled in or scrolled may take to appear. */
const appearMs = 5000;
/** How long the page may load after an action. */
const settleMs = 3000;
const pollMs = 50;
/** Bytes of all pictures that the actions of a page take, at most. */
const maxPictureBytes = 64 * 1024 * 1024;

/** Waits as the request says, once the page has loaded. */
export async function waitForPage(stage: Stage, wait: JsRenderOptions["wait_for"]): Promise<void> {
  const { session, deadline: until, signal } = stage;
  if (wait?.ms !== undefined) await sleep(wait.ms, undefined, { signal });
  if (wait?.selector === undefined) return;
  const wanted = { field: "js_render.wait_for.selector", selector: wait.selector };
  await useElement(session, wanted, isThere, { until, signal });
}

/** Carries out the actions in order. Returns the pictures that they took, as PNG. */
export async function act(stage: Stage, actions: readonly PageAction[]): Promise<Uint8Array[]> {
  const performAll = async (signal: AbortSignal) => {
    const pictures: Uint8Array[] = [];
    for (const [index, action] of actions.entries()) {
      signal.throwIfAborted();
      const picture = await perform({ ...stage, signal }, action, `js_render.actions.${index}`);
      if (picture !== undefined) pictures.push(picture);
      if (sizeOf(pictures) > maxPictureBytes) throw tooManyPictures();
    }
    return pictures;
  };
  return await withTimeout(maxActionsMs, stage.signal, signal =>
    untilAborted(performAll(signal), signal),
  ).catch(error => {
    throw Object(error).name === "TimeoutError" && !stage.signal.aborted ? tooLong(error) : error;
  });
}

async function perform(stage: Stage, action: PageAction, field: string): Promise<Uint8Array | undefined> {
  const { session } = stage;
  switch (action.type) {
    case "wait":
      await wait(stage, action, field);
      return undefined;
    case "screenshot":
      return await takeScreenshot(stage, action.full_page ? "full_page" : "viewport");
    case "click": {
      const { x, y } = await use<Place>(stage, action, field, bringIntoView);
      await (await session.hand()).mouse.click(x, y);
      break;
    }
    case "type":
      if (action.selector !== undefined) await use(stage, action, field, focus);
      await (await session.hand()).keyboard.type(action.text ?? "");
      break;
    case "press":
      await (await session.hand()).keyboard.press(action.key as Key);
      break;
    case "scroll":
      await scroll(stage, action, field);
      break;
  }
  await settle(stage);
  return undefined;
}

type Key = Parameters<Awaited<ReturnType<Session["hand"]>>["keyboard"]["press"]>[0];

async function wait(stage: Stage, { ms, selector }: PageAction, field: string): Promise<void> {
  const { session, deadline: until, signal } = stage;
  if (ms !== undefined) await sleep(ms, undefined, { signal });
  if (selector !== undefined)
    await useElement(session, { field: `${field}.selector`, selector }, isThere, { until, signal });
}

async function scroll(stage: Stage, action: PageAction, field: string): Promise<void> {
  const by = scrollBy(action.direction ?? "down");
  if (action.selector !== undefined) return await use(stage, action, field, by);
  const page = "document.scrollingElement ?? document.documentElement";
  await evaluateApart(stage.session, `(element => { ${by} })(${page})`);
}

async function use<T>(
  { session, deadline, signal }: Stage,
  { selector = "" }: PageAction,
  field: string,
  how: string,
): Promise<T> {
  const until = Math.min(deadline, Date.now() + appearMs);
  return await useElement<T>(session, { field: `${field}.selector`, selector }, how, { until, signal });
}

/** Gives the page a moment to begin what the action causes, and waits until that has loaded. */
async function settle({ load, signal, deadline }: Stage): Promise<void> {
  await sleep(pollMs, undefined, { signal });
  const until = Math.min(deadline, Date.now() + settleMs);
  while (load.isBusy() && Date.now() < until) await load.change(pollMs, signal);
}

function sizeOf(pictures: Uint8Array[]): number {
  return pictures.reduce((sum, { length }) => sum + length, 0);
}

function tooLong(cause: unknown): Error {
  return fail("scrape_timeout", `The actions took more than ${maxActionsMs / 1000} s.`, {}, cause);
}

function tooManyPictures(): Error {
  return fail("upstream_error", "The screenshots of js_render.actions are too large: take fewer of them.");
}

/** The largest side of an image that Chromium's compositor draws. */
const maxPixels = 16_384;

/** How long a page may take to be drawn before what it loads is taken for the reason. */
const drawMs = 2000;

/**
 * A PNG of the viewport, or of the whole page down to the largest height that can be drawn. Nothing is drawn while a
 * style sheet of the head is on its way: a page that is not drawn in time loads nothing more.
 */
export async function takeScreenshot(
  { session: { cdp }, load }: Pick<Stage, "session" | "load">,
  extent: OutputOptions["screenshot"],
): Promise<Uint8Array> {
  const picture = draw(cdp, extent);
  const isDrawn = await within(
    drawMs,
    picture.then(() => true),
    () => false,
  );
  if (!isDrawn && !load.isLoaded()) await cdp.send("Page.stopLoading");
  return await picture;
}

async function draw(cdp: CDPSession, extent: OutputOptions["screenshot"]): Promise<Uint8Array> {
  const { cssContentSize, cssVisualViewport } = await cdp.send("Page.getLayoutMetrics");
  const scale = Math.max(1, cssVisualViewport.scale);
  const whole = { x: 0, y: 0, ...drawable(cssContentSize), scale: 1 / scale };
  const { data } = await cdp.send("Page.captureScreenshot", {
    format: "png",
    ...(extent === "full_page" && { captureBeyondViewport: true, clip: whole }),
  });
  return Buffer.from(data, "base64");
}

/** The size of a picture of a whole page, in CSS pixels. */
export interface PictureSize {
  width: number;
  height: number;
}

export async function pictureSize({ cdp }: Session): Promise<PictureSize> {
  return drawable((await cdp.send("Page.getLayoutMetrics")).cssContentSize);
}

function drawable({ width, height }: PictureSize): PictureSize {
  return { width: Math.min(width, maxPixels / 2), height: Math.min(height, maxPixels / 2) };
}
