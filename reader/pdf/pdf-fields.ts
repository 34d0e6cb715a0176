import type { Area, PdfText } from "./pdf-lines.ts";

/** A field of a form that somebody has filled in, or a box to tick. */
export interface PdfField extends Area {
  /** What is in it, line by line. */
  lines: string[];
}

const maxLines = 100;
const maxLength = 10_000;

/** What a widget of a form shows (PDF 2.0, 12.7.5); undefined for what shows nothing, buttons and secrets. */
export function fieldOf(widget: Record<string, unknown>, area: Area): PdfField | undefined {
  if (widget.hidden === true || widget.noView === true || widget.password === true) return undefined;
  const shown = shownBy(widget).slice(0, maxLength);
  if (shown.trim() === "") return undefined;
  const lines = shown.split(/\r\n?|\n/).slice(0, maxLines);
  return { ...area, lines: lines.map(line => line.trim()).filter(line => line !== "") };
}

function shownBy(widget: Record<string, unknown>): string {
  const { fieldType, fieldValue } = widget;
  if (fieldType === "Btn") return boxOf(widget);
  const values = [fieldValue].flat().filter(value => typeof value === "string");
  if (fieldType === "Tx") return values.join("\n");
  if (fieldType !== "Ch") return "";
  return values.map(value => choiceOf(widget.options, value)).join(", ");
}

const ticked = "☑";
const empty = "☐";
const boxes = new Set([ticked, empty]);

/** A box with or without its tick. */
function boxOf({
  checkBox,
  radioButton,
  fieldValue,
  exportValue,
  buttonValue,
}: Record<string, unknown>): string {
  if (checkBox !== true && radioButton !== true) return "";
  const own = checkBox === true ? exportValue : buttonValue;
  const isTicked = typeof fieldValue === "string" && fieldValue !== "Off" && fieldValue === own;
  return isTicked ? ticked : empty;
}

/** The text of a choice, which may differ from its value. */
function choiceOf(options: unknown, value: string): string {
  const found = Array.isArray(options)
    ? options.find(option => Object(option).exportValue === value)
    : undefined;
  const { displayValue } = Object(found) as { displayValue?: unknown };
  return typeof displayValue === "string" ? displayValue : value;
}

const usualSize = 10;
const band = 20;
/** How far the label of a field may be from it, in points. */
const farthestLabel = 200;
/** The width of a character, in parts of its size; it only matters beside other texts. */
const perCharacter = 0.5;

/** The texts in fields, on the lines of the texts beside them, and right behind a label that ends with a colon. */
export function fieldTexts(fields: PdfField[], texts: PdfText[]): PdfText[] {
  if (fields.length === 0) return [];
  const bands = Map.groupBy(texts, text => Math.floor(text.y / band));
  return fields.flatMap((field, number) => {
    const first = Math.floor(field.top / band);
    const last = Math.min(first + 5, Math.floor((field.bottom + 1) / band));
    const near: PdfText[] = [];
    for (let at = first; at <= last; at += 1) near.push(...(bands.get(at) ?? []).slice(0, maxNear));
    return textsOf(field, near).map(text => ({ ...text, field: number }));
  });
}

const maxNear = 200;

function textsOf({ left, right, top, bottom, lines }: PdfField, near: PdfText[]): PdfText[] {
  const beside = near.filter(({ y, size }) => y > top && y <= bottom + 0.3 * size);
  const before = beside.filter(
    text => text.x + text.width <= left + 2 && left - text.x - text.width < farthestLabel,
  );
  const label = before.reduce<PdfText | undefined>(
    (nearest, text) => (nearest && nearest.x + nearest.width >= text.x + text.width ? nearest : text),
    undefined,
  );
  const size = label?.size ?? beside[0]?.size ?? Math.min(usualSize, 0.8 * (bottom - top));
  const isLabelled = label !== undefined && /[:：]\s*$/.test(label.text);
  // The label of a box is behind it, so a box is as wide as it is drawn.
  const isBox = boxes.has(lines[0] ?? "");
  const x = isLabelled && !isBox ? label.x + label.width + 0.3 * size : left;
  const isTall = bottom - top > 2.5 * size;
  const y = isTall ? top + 1.2 * size : ((label ?? beside[0])?.y ?? bottom - 0.25 * (bottom - top));
  return lines.map((text, at) => ({
    ...{ text, x: at === 0 ? x : left, y: y + at * 1.2 * size },
    width: isBox ? right - left : Math.min(text.length * perCharacter * size, Math.max(1, right - x)),
    ...{ size, bold: false, italic: false, mono: false, rtl: false },
  }));
}
