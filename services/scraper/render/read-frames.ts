import type { Session } from "../../../mixins/browser/session.ts";
import { evaluateIn } from "../../../mixins/browser/tab.ts";
import { isOwnContent, isSameSite } from "../../domain/url/same-site.ts";
import { isUnloaded } from "./navigation.ts";
import { type ShownTree, type Slot, slotElements, slotMark, treeScript } from "./tree-script.ts";

/** A document with places for frames. */
interface Holder {
  frameId: string;
  html: string;
  slots: Slot[];
  nonce: string;
  depth: number;
}

interface FrameOrder {
  withFrames: boolean;
  blocked: string[];
  /** The page whose site the frames must be of; undefined: any. */
  page?: string;
}

/** Frames that are asked one by one, how deep they may be in one another, and characters of HTML of all of them. */
const [mostFrames, deepestFrame, maxCharacters] = [30, 4, 4_000_000];

/**
 * Puts the text of frames in their places that a script of the page cannot look into, since they are of other origins. A
 * frame that is of another site, that has no text, or that did not load stays an element, which is read as a link.
 */
export async function fillFrames(
  session: Session,
  holder: Holder,
  order: FrameOrder,
): Promise<{ html: string; textLength: number }> {
  const left = { frames: mostFrames, characters: maxCharacters };
  let textLength = 0;

  async function fill({ frameId, html, slots, nonce, depth }: Holder): Promise<string> {
    const contents: string[] = [];
    for (const [at, slot] of slots.entries())
      contents.push((await read(frameId, at, slot, depth + 1)) ?? slot.element);
    return slots.reduce((text, _, at) => text.replace(slotMark(nonce, at), () => contents[at] ?? ""), html);
  }

  async function read(parentId: string, at: number, slot: Slot, depth: number): Promise<string | null> {
    if (left.frames === 0 || depth > deepestFrame || !isWanted(slot.url, order)) return null;
    left.frames -= 1;
    const frameId = await frameOf(session, parentId, at);
    if (frameId === undefined) return null;
    const script = treeScript({ ...order, asShown: false, depth });
    const tree = await evaluateIn<ShownTree>(session, frameId, script).catch(() => undefined);
    if (tree === undefined || tree.html === "" || tree.html.length > left.characters) return null;
    if (isUnloaded(tree.url, session) || !isWanted(tree.url, order)) return null;
    left.characters -= tree.html.length;
    textLength += tree.framesLength;
    return await fill({ ...tree, frameId, depth });
  }

  return { html: await fill(holder), textLength };
}

function isWanted(url: string, { page }: FrameOrder): boolean {
  return page === undefined || isOwnContent(url) || isSameSite(url, page);
}

/** The frame of an element that the script of its document has kept; undefined where it is gone. */
async function frameOf({ cdp }: Session, parentId: string, at: number): Promise<string | undefined> {
  try {
    const { executionContextId } = await cdp.send("Page.createIsolatedWorld", {
      frameId: parentId,
      worldName: "magpie",
    });
    const expression = `${slotElements}[${at}]`;
    const { result } = await cdp.send("Runtime.evaluate", { expression, contextId: executionContextId });
    if (result.objectId === undefined) return undefined;
    const { node } = await cdp.send("DOM.describeNode", { objectId: result.objectId });
    return node.frameId;
  } catch (error) {
    if (/closed|crashed/i.test(String(error))) throw error;
    return undefined;
  }
}
