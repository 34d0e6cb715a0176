import { fieldTexts, type PdfField } from "./pdf-fields.ts";
import { type PdfLink, withLinks } from "./pdf-inline.ts";
import { type Area, type PdfPage, type PdfText, usualSize } from "./pdf-lines.ts";

/** How many quarters of a turn, clockwise, a text is away from one that is upright. */
type Quarter = 0 | 1 | 2 | 3;

/** A text where a page shows it, and the way it is turned. Its width is along its line. */
export interface TurnedText extends PdfText {
  /** Undefined for one that is written across. */
  quarter: Quarter | undefined;
}

/** What is on a page, where it is shown. */
interface Shown {
  texts: TurnedText[];
  links: PdfLink[];
  fields: PdfField[];
}

interface Size {
  width: number;
  height: number;
}

const gap = 50;

/**
 * A page as somebody reads it who turns it so that most of its text is upright. Texts that are turned otherwise come below
 * it, each way by itself: a stamp at the edge, the name of an axis; then what is written across, in the order of drawing.
 */
export function turnedPage({ texts, links, fields }: Shown, { width, height }: Size): PdfPage {
  const ways = ([0, 1, 2, 3] as const)
    .map(quarter => ({ quarter, texts: texts.filter(text => text.quarter === quarter) }))
    .sort((a, b) => lengthOf(b.texts) - lengthOf(a.texts));
  const main = ways[0]?.quarter ?? 0;
  const [pageWidth, pageHeight] = main % 2 === 1 ? [height, width] : [width, height];
  const page: PdfPage = { width: pageWidth, height: pageHeight, texts: [] };
  const usual = usualSize(ways[0]?.texts ?? []);
  let top = 0;
  for (const { quarter, texts } of ways) {
    if (texts.length === 0 && quarter !== main) continue;
    const turn = turnOf(quarter, { width, height });
    const upright = texts.map(({ quarter: _, ...text }): PdfText => ({ ...text, ...turn(text) }));
    const written = withLinks(
      upright,
      links.map(link => turned(link, turn)),
    );
    const own = fields.map(field => turned(field, turn));
    if (quarter === main) for (const text of fieldTexts(own, written)) page.texts.push(text);
    // What is large at an edge is no heading.
    const most = quarter === main ? Number.POSITIVE_INFINITY : usual;
    for (const text of written)
      page.texts.push({ ...text, y: text.y + top, size: Math.min(text.size, most) });
    top += gap + (top === 0 ? page.height : Math.max(width, height));
  }
  for (const { quarter, ...text } of texts) {
    if (quarter !== undefined) continue;
    page.texts.push({ ...text, x: 0, y: top, size: Math.min(text.size, usual) });
    top += 2 * usual;
  }
  return page;
}

function lengthOf(texts: PdfText[]): number {
  return texts.reduce((sum, { text }) => sum + text.length, 0);
}

interface Point {
  x: number;
  y: number;
}

/** Where a place of the page is for somebody who reads a text of these quarters. */
function turnOf(quarter: Quarter, { width, height }: Size): (point: Point) => Point {
  switch (quarter) {
    case 0:
      return ({ x, y }) => ({ x, y });
    case 1:
      return ({ x, y }) => ({ x: y, y: width - x });
    case 2:
      return ({ x, y }) => ({ x: width - x, y: height - y });
    case 3:
      return ({ x, y }) => ({ x: height - y, y: x });
  }
}

function turned<Kind extends Area>(area: Kind, turn: (point: Point) => Point): Kind {
  const [a, b] = [turn({ x: area.left, y: area.top }), turn({ x: area.right, y: area.bottom })];
  return {
    ...area,
    ...{ left: Math.min(a.x, b.x), right: Math.max(a.x, b.x) },
    ...{ top: Math.min(a.y, b.y), bottom: Math.max(a.y, b.y) },
  };
}

/** A direction that is off by more of a turn's quarter leads across. */
const skew = 0.07;

/** The quarters of a direction; undefined where it leads across. */
export function quarterOf(x: number, y: number): Quarter | undefined {
  const quarters = Math.atan2(y, x) / (Math.PI / 2);
  const nearest = Math.round(quarters);
  return Math.abs(quarters - nearest) > skew ? undefined : (((nearest + 4) % 4) as Quarter);
}
