import { parseHtml } from "../../../reader/html/parse-html.ts";
import { plainText } from "../../../reader/html/plain-text.ts";
import type { DocumentNode } from "../../../reader/html/tree.ts";
import { findElement } from "../../../reader/html/tree.ts";
import { detectWall } from "../../../reader/page/detect-wall.ts";
import { frameMark } from "../render/frame-mark.ts";

interface Answer {
  html: string;
  status: number;
  url: string;
}

type Wall = ReturnType<typeof detectWall>;

/** A rendered page without frames that are walls. */
interface FramedPage {
  html: string;
  tree: DocumentNode;
  wall: Wall;
}

/** A document within a page: with the frames in it, and without them. */
interface Part {
  /** Those of the document and of its scripts. */
  addresses: string;
  whole: string;
  own: string;
}

/** Characters of HTML of a frame that may be a wall. */
const longestWall = 100_000;

/**
 * Judges a page by its own text: a frame that asks for a login or a proof makes no wall of the page around it, and its text
 * is left out. A page that has no text of its own is what its frames are.
 */
export function readFramed(answer: Answer): FramedPage {
  const pieces = answer.html.split(frameMark);
  if (pieces.length === 1) {
    const tree = parseHtml(answer.html);
    return { html: answer.html, tree, wall: detectWall(answer, tree) };
  }
  const { whole: html, own } = joined(pieces, answer);
  const tree = parseHtml(html);
  const alone = parseHtml(own);
  const wall = detectWall({ ...answer, html: own }, alone);
  if (wall === null && hasText(alone)) return { html, tree, wall };
  if (wall === "bot") return { html, tree, wall };
  // Beside much text in frames a login form is no wall.
  if (wall === "login") return { html, tree, wall: detectWall({ ...answer, html }, tree) };
  const all = answer.html.replaceAll(frameMark, "");
  return { html: all, tree: parseHtml(all), wall: detectWall({ ...answer, html: all }) };
}

/** `pieces`: texts, and between them the addresses where a frame begins, or nothing where it ends. */
function joined(pieces: string[], answer: Answer): Part {
  const page: Part = { addresses: "", whole: "", own: "" };
  const open = [page];
  const close = () => {
    const frame = open.pop();
    const holder = open.at(-1);
    if (frame !== undefined && holder !== undefined && !isWall(frame, answer)) holder.whole += frame.whole;
  };
  for (const [at, piece] of pieces.entries()) {
    const part = open.at(-1) ?? page;
    if (at % 2 === 0) {
      part.whole += piece;
      part.own += piece;
    } else if (piece.startsWith("/")) {
      if (open.length > 1) close();
    } else open.push({ addresses: piece, whole: "", own: "" });
  }
  while (open.length > 1) close();
  return page;
}

/** Scripts of frames are not kept, but a captcha is known by its address. */
function isWall({ addresses, whole }: Part, { url }: Answer): boolean {
  if (whole.length > longestWall) return false;
  const scripts = addresses.split(" ").map(address => `<script src="${address}"></script>`);
  return detectWall({ html: scripts.join("") + whole, status: 200, url }) !== null;
}

function hasText(tree: DocumentNode): boolean {
  const body = findElement(tree, ({ name }) => name === "body") ?? tree;
  return plainText(body) !== "";
}
