import { createHash } from "node:crypto";
import type { ChangedLine, ChangedLines } from "../watch/changed-lines.ts";
import type { LookedAt } from "./site-memory.ts";

/** A visit of a page after the baseline, as the site's memory takes it. */
export interface PageVisit {
  key: string;
  url: string;
  /** When this visit and the last one before it began, in milliseconds since the epoch. */
  at: number;
  before: number;
  found: LookedAt;
  /** Lines by which it differs from what was told of it (`Verdict.lines`); absent for none. */
  lines?: ChangedLines;
}

/** Names a page in the site's memory. */
export function pageHash(key: string): string {
  return createHash("sha256").update(key).digest("base64url").slice(0, 8);
}

const pages = new WeakMap<PageVisit, string>();

/** Names the page of a visit in the site's memory; known once it was asked for, as each line of the visit asks. */
export function pageOf(visit: PageVisit): string {
  const page = pages.get(visit) ?? pageHash(visit.key);
  pages.set(visit, page);
  return page;
}

/** A line that came or went, with its name in the site's memory, which is also what `judge` passes over. */
export interface SignedLine {
  name: string;
  sign: "+" | "-";
  line: ChangedLine;
}

/** More lines of a page than these are not compared. */
const maxSigned = 600;

/** The lines of a visit, those that came before those that went; a line that is there twice is one. */
export function signedLines({ came, gone }: ChangedLines): SignedLine[] {
  const signed = [...came.map(line => signedLine("+", line)), ...gone.map(line => signedLine("-", line))];
  return [...new Map(signed.map(each => [each.name, each])).values()].slice(0, maxSigned);
}

function signedLine(sign: "+" | "-", line: ChangedLine): SignedLine {
  return { name: sign + line.hash, sign, line };
}

/** What went where this came, and the other way round. */
export function oppositeOf(name: string): string {
  return (name.startsWith("+") ? "-" : "+") + name.slice(1);
}

/** Whose a line that came or went is, and how that is known; or what is to be done to know it. */
export type LineVerdict =
  | { whose: "page" }
  | { whose: "site"; by: "told" | "lines" | "place" | "rotation" }
  | { whose: "undecided"; look: number; again: boolean };

/** On how many pages a change is the site's. */
export function manyPages(pages: number): number {
  return pages >= 6 ? 3 : Math.max(2, Math.ceil(pages / 2));
}
