import type { Session } from "../../../mixins/browser/session.ts";
import type { JsRenderOptions } from "../../contracts/page-options.ts";
import { evaluateApart } from "./find-element.ts";
import { fillFrames } from "./read-frames.ts";
import { type ShownTree, treeScript } from "./tree-script.ts";

/** What a page shows at a moment. */
export interface Reading {
  /** Characters of its own text. */
  textLength: number;
  /** Characters of text in its frames. */
  framesLength: number;
  /** Whether the area of its main content is there, and has nothing in it. */
  isMainEmpty: boolean;
  /** Whether the document has scripts or a refresh, which may still change or leave it. */
  isLive: boolean;
  /** Whether its scripts have set timers. */
  hasTimers: boolean;
  html: string;
  /** The document as the browser has it, where it differs from `html` and is wanted. */
  asShown?: string;
}

/** How a page is read. */
export interface ReadingWish {
  /** Frames of the same site are read by default. */
  frames?: JsRenderOptions["frames"];
  /** Addresses of frames that are advertisements. */
  blockedFrames?: ReadonlySet<string>;
  /** The document as the browser has it is wanted too. */
  asShown?: boolean;
}

/** Reads the tree of a page as it is now. */
export async function readTree(session: Session, wish: ReadingWish = {}): Promise<Reading> {
  const { frames = "same_site", blockedFrames = new Set(), asShown = false } = wish;
  const order = { withFrames: frames !== "none", blocked: [...blockedFrames] };
  const script = treeScript({ ...order, asShown, depth: 0 });
  const { url, slots, nonce, html, ...facts } = await evaluateApart<ShownTree>(session, script);
  if (slots.length === 0) return { ...facts, html };
  const holder = { frameId: session.mainFrameId, html, slots, nonce, depth: 0 };
  const filled = await fillFrames(session, holder, {
    ...order,
    ...(frames === "same_site" && { page: url }),
  });
  return { ...facts, html: filled.html, framesLength: facts.framesLength + filled.textLength };
}
