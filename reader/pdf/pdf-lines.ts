/** A piece of text where a PDF shows it. In points; `y` is the baseline and grows downwards. */
export interface PdfText {
  text: string;
  x: number;
  y: number;
  width: number;
  size: number;
  bold: boolean;
  italic: boolean;
  mono: boolean;
  /** In a font of formulas. */
  math?: boolean;
  /** Written from right to left. */
  rtl: boolean;
  /** Where a link on it leads. */
  url?: string;
  tag?: PdfTag | undefined;
  /** The field of a form that it is in; each has a number of its own. */
  field?: number;
}

/** A part of a page; `top` is above `bottom`, although it is less. */
export interface Area {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

/** What a tagged PDF says of a text. Items and cells have numbers that distinguish them. */
export interface PdfTag {
  heading?: number | undefined;
  item?: number | undefined;
  cell?: number | undefined;
}

export interface PdfPage {
  width: number;
  height: number;
  texts: PdfText[];
}

/** From where to where something is in the width of a page. */
export interface Extent {
  x: number;
  right: number;
}

/** Texts of one baseline that no wide gap divides. */
export interface Segment extends Extent {
  y: number;
  size: number;
  /** In reading order. */
  texts: PdfText[];
}

/** The texts of one baseline, or of a baseline of one column. */
export interface Line extends Segment {
  /** From left to right. */
  segments: Segment[];
  /** A formula that is set by itself. */
  isFormula?: boolean;
}

/** The lines of a page, from top to bottom. */
export function linesOf({ texts }: PdfPage): Line[] {
  return linesOfTexts(texts);
}

/** The lines that texts make, from top to bottom. */
export function linesOfTexts(texts: PdfText[]): Line[] {
  const sorted = texts.flatMap(splitAtBlanks).sort((a, b) => a.y - b.y || a.x - b.x);
  const rows: PdfText[][] = [];
  let main: PdfText | undefined;
  for (const text of sorted) {
    const row = rows.at(-1);
    if (row?.[0] && main && text.y - row[0].y <= sameLine * lineSize(main, text)) {
      row.push(text);
      if (text.text.length > main.text.length) main = text;
    } else {
      rows.push([text]);
      main = text;
    }
  }
  return rows.flatMap(row => bySize(segmentsOf(row)).map(lineOf));
}

/** Segments of one baseline in different sizes are no line: a title, and an address beside it. */
function bySize(segments: Segment[]): Segment[][] {
  const groups: Segment[][] = [];
  for (const segment of segments) {
    const group = groups.find(([first]) => first && Math.abs(first.size - segment.size) <= 0.3 * first.size);
    if (group) group.push(segment);
    else groups.push([segment]);
  }
  return groups;
}

/** The part of a text size by which baselines may differ in one line: small raised and lowered characters. */
const sameLine = 0.45;
/** A note's number may be raised by more than its own size allows; a longer text may not. */
function lineSize(main: PdfText, text: PdfText): number {
  const isNote = Math.min(main.text.length, text.text.length) <= 4;
  return isNote ? Math.max(main.size, text.size) : Math.min(main.size, text.size);
}

/** A gap of this part of the text size divides segments. Blanks between justified words are narrower. */
const wideGap = 1;

/** A line of segments, which must not be empty. */
export function lineOf(segments: Segment[]): Line {
  const texts = segments.flatMap(segment => segment.texts);
  return { ...frameOf(texts), texts: isRightToLeft(texts) ? segmentsReversed(segments) : texts, segments };
}

function segmentsReversed(segments: Segment[]): PdfText[] {
  return [...segments].reverse().flatMap(segment => segment.texts);
}

function segmentsOf(row: PdfText[]): Segment[] {
  const runs: PdfText[][] = [];
  let right = Number.NEGATIVE_INFINITY;
  for (const text of row.sort((a, b) => a.x - b.x)) {
    const run = runs.at(-1);
    const isSameCell = run?.at(-1)?.tag?.cell === text.tag?.cell;
    if (run && isSameCell && text.x - right <= wideGap * text.size) run.push(text);
    else runs.push([text]);
    right = Math.max(right, text.x + text.width);
  }
  return runs.map(run => ({ ...frameOf(run), texts: isRightToLeft(run) ? run.reverse() : run }));
}

/** A gap of this part of the text size may be one between columns: many lines have to leave it. */
const columnGap = 0.6;

/** What gaps as those between columns divide a line into, from left to right. */
export function runsOf({ texts }: Line): Extent[] {
  const runs: Extent[] = [];
  for (const { x, width, size } of [...texts].sort((a, b) => a.x - b.x)) {
    const run = runs.at(-1);
    if (run && x - run.right <= columnGap * size) run.right = Math.max(run.right, x + width);
    else runs.push({ x, right: x + width });
  }
  return runs;
}

function frameOf(texts: PdfText[]): Omit<Segment, "texts"> {
  let frame = { x: Number.POSITIVE_INFINITY, right: Number.NEGATIVE_INFINITY, y: 0, size: 0 };
  let longest = -1;
  for (const { text, x, y, width, size } of texts) {
    frame = { ...frame, x: Math.min(frame.x, x), right: Math.max(frame.right, x + width) };
    // The longest text has the line's baseline and size, not a footnote's number.
    if (text.length <= longest) continue;
    longest = text.length;
    frame = { ...frame, y, size };
  }
  return frame;
}

function isRightToLeft(texts: PdfText[]): boolean {
  let balance = 0;
  for (const { text, rtl } of texts) balance += rtl ? text.length : -text.length;
  return balance > 0;
}

/** Tables of plain text are aligned by blanks inside of one text. */
function splitAtBlanks(whole: PdfText): PdfText[] {
  if (!whole.text.includes("   ") || whole.rtl) return [whole];
  const perCharacter = whole.width / whole.text.length;
  return [...whole.text.matchAll(/\S+(?: {1,2}\S+)*/g)].map(({ 0: text, index }) => ({
    ...whole,
    ...{ text, x: whole.x + index * perCharacter, width: text.length * perCharacter },
  }));
}

/** The size of most of the text. */
export function usualSize(texts: Iterable<PdfText>): number {
  const characters = new Map<number, number>();
  for (const { text, size } of texts) {
    const step = Math.round(size * 2) / 2;
    characters.set(step, (characters.get(step) ?? 0) + text.length);
  }
  return [...characters].reduce((most, each) => (each[1] > most[1] ? each : most), [10, 0])[0];
}

/** The text of a line, with blanks where there are gaps. */
export function textOf({ texts }: Pick<Segment, "texts">): string {
  return texts.map((text, index) => (needsBlank(texts[index - 1], text) ? " " : "") + text.text).join("");
}

/** A gap of this part of the text size is a blank. */
const blankGap = 0.15;

/** Whether there is a blank between two neighbours of a line that have none. */
export function needsBlank(before: PdfText | undefined, after: PdfText): boolean {
  if (before === undefined || /\s$/.test(before.text) || /^\s/.test(after.text)) return false;
  const gap = before.x < after.x ? after.x - before.x - before.width : before.x - after.x - after.width;
  return gap > blankGap * Math.min(before.size, after.size);
}

/** What begins an item of a list. */
export interface Marker {
  /** The number in an ordered list; undefined for a bullet. */
  number?: number;
  /** As it is written. */
  text: string;
  /** The line, and the line without the marker. */
  line: Segment;
  rest: Segment;
}

/** Bullets, among them those of symbol fonts, which have private characters. */
const bullet = /^(?:[•◦▪▫‣⁃●○■□►▶✓✔➢❖∙·*–—-]|[\ue000-\uf8ff])(?=\s|$)\s*/;
const symbol = /^[•◦▪▫‣●■►▶✓✔➢❖\ue000-\uf8ff]\s*/;
const ordinal = /^\(?(?:(\d{1,3})|([a-z]))[.)](?=\s|$)\s*/;

/** Whether a line begins an item whose bullet is drawn: only a tag says so. */
export function beginsTaggedItem({ texts: [first] }: Line, before: Line | undefined): boolean {
  const item = first?.tag?.item;
  return item !== undefined && before?.texts.at(-1)?.tag?.item !== item;
}

/** The marker at the start of a line; undefined when there is none, or nothing behind it. */
export function markerOf(line: Line): Marker | undefined {
  const text = textOf(line).trimStart();
  const found = bullet.exec(text) ?? symbol.exec(text) ?? ordinal.exec(text);
  if (!found) return undefined;
  const rest = withoutStart(line, found[0].trimEnd().length);
  if (rest === undefined) return undefined;
  const [whole, digits, letter] = found;
  const number = digits === undefined ? letter && letter.charCodeAt(0) - 96 : Number(digits);
  return { text: whole.trim(), line, rest, ...(typeof number === "number" && { number }) };
}

/** The line without its first characters; undefined when nothing remains. */
function withoutStart(line: Line, length: number): Segment | undefined {
  let left = length;
  const texts: PdfText[] = [];
  for (const text of line.texts) {
    const trimmed = left > 0 ? text.text.trimStart() : text.text;
    const rest = trimmed.slice(left);
    left = Math.max(0, left - trimmed.length);
    if (rest.trim() === "" && texts.length === 0) continue;
    const cut = text.text.length - rest.length;
    const width = (text.width * rest.length) / Math.max(1, text.text.length);
    texts.push(cut === 0 ? text : { ...text, text: rest.trimStart(), x: text.x + text.width - width, width });
  }
  return texts.length === 0 ? undefined : { ...line, texts };
}
