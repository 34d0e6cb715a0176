import { setTimeout as sleep } from "node:timers/promises";
import { untilAborted, withTimeout } from "../../../mixins/async/timeout.ts";
import type { Session } from "../../../mixins/browser/session.ts";
import { fail } from "../../contracts/errors.ts";
import type { LoginAction, PageAction } from "../../contracts/page-actions.ts";
import type { JsRenderOptions } from "../../contracts/page-options.ts";
import { maxActionsMs } from "../../domain/page-options/check-actions.ts";
import { totp } from "../sessions/totp.ts";
import {
  bringIntoView,
  evaluateApart,
  focus,
  isThere,
  type Place,
  scrollBy,
  useElement,
} from "./find-element.ts";
import type { Stage } from "./stage.ts";
import { takePicture } from "./take-picture.ts";

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

/** What is done in a page, or to sign in. */
export type Acted = PageAction | LoginAction;

/** Carries out the actions in order; `field` has them in the request. Returns the pictures that they took, as PNG. */
export async function act(
  stage: Stage,
  actions: readonly Acted[],
  field = "js_render.actions",
): Promise<Uint8Array[]> {
  const performAll = async (signal: AbortSignal) => {
    const pictures: Uint8Array[] = [];
    for (const [index, action] of actions.entries()) {
      signal.throwIfAborted();
      const picture = await perform({ ...stage, signal }, action, `${field}.${index}`);
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

async function perform(stage: Stage, action: Acted, field: string): Promise<Uint8Array | undefined> {
  const { session } = stage;
  switch (action.type) {
    case "wait":
      await wait(stage, action, field);
      return undefined;
    case "screenshot":
      return (await takePicture(stage, action.full_page ? "full_page" : "viewport", true)).png;
    case "click": {
      const { x, y } = await use<Place>(stage, action, field, bringIntoView);
      await (await session.hand()).mouse.click(x, y);
      break;
    }
    case "type":
      if (action.selector !== undefined) await use(stage, action, field, focus);
      await (await session.hand()).keyboard.type(textOf(action));
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

/** A one-time password is of the moment in which it is typed. */
function textOf(action: Acted): string {
  const seed = "totp" in action ? action.totp : undefined;
  return seed === undefined ? (action.text ?? "") : totp(seed, Date.now());
}

type Key = Parameters<Awaited<ReturnType<Session["hand"]>>["keyboard"]["press"]>[0];

async function wait(stage: Stage, { ms, selector }: Acted, field: string): Promise<void> {
  const { session, deadline: until, signal } = stage;
  if (ms !== undefined) await sleep(ms, undefined, { signal });
  if (selector !== undefined)
    await useElement(session, { field: `${field}.selector`, selector }, isThere, { until, signal });
}

async function scroll(stage: Stage, action: Acted, field: string): Promise<void> {
  const by = scrollBy(action.direction ?? "down");
  if (action.selector !== undefined) return await use(stage, action, field, by);
  const page = "document.scrollingElement ?? document.documentElement";
  await evaluateApart(stage.session, `(element => { ${by} })(${page})`);
}

async function use<T>(
  { session, deadline, signal }: Stage,
  { selector = "" }: Acted,
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
