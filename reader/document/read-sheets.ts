import Papa from "papaparse";
import { escapeHtml } from "../text/escape-html.ts";
import { type Parts, unpack } from "./archive.ts";
import {
  addRow,
  type Cell,
  type CellBudget,
  documentHtml,
  maxCellLength,
  maxCells,
  maxCellsLength,
  maxColumns,
  maxRows,
  type Sheet,
  sheetHtml,
} from "./document-html.ts";
import { officeFacts, targetsOf } from "./office-package.ts";
import { readXml } from "./read-xml.ts";

const maxSheets = 50;
/** Unpacked. It is read in one pass. */
const maxXlsxBytes = 64 * 1024 * 1024;
const needs = /^(docProps\/core\.xml|xl\/[^:]*\.(xml|rels))$/i;

/** Reads a spreadsheet as HTML: a table for each visible sheet. Throws when it is broken. */
export function readXlsx(bytes: Uint8Array): string {
  const parts = unpack(bytes, { needs, maxBytes: maxXlsxBytes });
  const book = readBook(parts);
  const strings = readStrings(parts["xl/sharedStrings.xml"]);
  const formats = readFormats(parts["xl/styles.xml"]);
  const budget = { cells: maxCells, length: maxCellsLength };
  const sheets = book.sheets
    .slice(0, maxSheets)
    .map(({ name, path }) => readSheet(name, path, { parts, strings, formats, budget, is1904: book.is1904 }));
  const shown = sheets.filter(({ count, isCut }) => count > 0 || isCut);
  const left = book.sheets.length - sheets.length;
  const notes = left > 0 ? [`<p>${left} more sheets were left out.</p>`] : [];
  const tables = shown.map(sheet =>
    shown.length > 1 ? `<h2>${escapeHtml(sheet.name)}</h2>\n${sheetHtml(sheet)}` : sheetHtml(sheet),
  );
  const facts = officeFacts(parts);
  return documentHtml({ ...facts, title: facts.title ?? shown[0]?.name }, [...tables, ...notes].join("\n"));
}

/**
 * Reads texts that a delimiter separates as HTML with one table; undefined when there is one column only. Without a
 * `delimiter` it is guessed.
 */
export function readCsv(text: string, delimiter?: string): string | undefined {
  const named = /^sep=(.)\r?\n/.exec(text);
  const sheet: Sheet = { name: "", rows: [], count: 0, isCut: false };
  const budget = { cells: maxCells, length: maxCellsLength };
  Papa.parse<string[]>(named ? text.slice(named[0].length) : text, {
    delimiter: named?.[1] ?? delimiter ?? "",
    delimitersToGuess: [",", ";", "\t", "|"],
    skipEmptyLines: "greedy",
    step: ({ data }) =>
      addRow(
        sheet,
        data.map(text => ({ text })),
        budget,
      ),
  });
  return sheet.rows.some(row => row.length > 1) ? documentHtml({}, sheetHtml(sheet)) : undefined;
}

interface Book {
  sheets: { name: string; path: string }[];
  is1904: boolean;
}

function readBook(parts: Parts): Book {
  const targets = targetsOf(parts, "xl/workbook.xml");
  const book: Book = { sheets: [], is1904: false };
  readXml(parts["xl/workbook.xml"], {
    open: (tag, { name = "", state, date1904, "r:id": id = "" }) => {
      if (tag === "workbookPr") book.is1904 = /^(1|true)$/.test(date1904 ?? "");
      const path = targets.get(id);
      if (tag === "sheet" && path !== undefined && !/hidden/i.test(state ?? ""))
        book.sheets.push({ name, path });
    },
  });
  return book;
}

/** The texts that cells refer to, without phonetic readings. */
function readStrings(bytes: Uint8Array | undefined): string[] {
  const strings: string[] = [];
  let [inText, inReading] = [false, false];
  readXml(bytes, {
    open: tag => {
      if (tag === "si") strings.push("");
      if (tag === "rPh") inReading = true;
      inText = tag === "t" && !inReading;
    },
    text: text => {
      if (inText) strings.push((strings.pop() ?? "") + text);
    },
    close: tag => {
      if (tag === "rPh") inReading = false;
      inText = false;
    },
  });
  return strings;
}

type NumberFormat = "plain" | "percent" | "date";

/** The formats of numbers, by cell style (ISO/IEC 29500-1, 18.8.30). */
function readFormats(bytes: Uint8Array | undefined): NumberFormat[] {
  const codes = new Map<string, string>();
  const formats: NumberFormat[] = [];
  let inCellFormats = false;
  readXml(bytes, {
    open: (tag, { numFmtId = "", formatCode = "" }) => {
      if (tag === "numFmt") codes.set(numFmtId, formatCode);
      if (tag === "cellXfs") inCellFormats = true;
      if (tag === "xf" && inCellFormats) formats.push(formatOf(Number(numFmtId), codes.get(numFmtId)));
    },
    close: tag => {
      if (tag === "cellXfs") inCellFormats = false;
    },
  });
  return formats;
}

function formatOf(id: number, code: string | undefined): NumberFormat {
  if (code === undefined) {
    if (id === 9 || id === 10) return "percent";
    return (id >= 14 && id <= 22) ||
      (id >= 27 && id <= 36) ||
      (id >= 45 && id <= 47) ||
      (id >= 50 && id <= 58)
      ? "date"
      : "plain";
  }
  const [first = ""] = code.replace(/"[^"]*"|\\.|\[[^\]]*\]/g, "").split(";", 1);
  if (first.includes("%")) return "percent";
  return /[ymdhs]/i.test(first) && !/general/i.test(first) ? "date" : "plain";
}

interface SheetTools {
  parts: Parts;
  strings: string[];
  formats: NumberFormat[];
  budget: CellBudget;
  is1904: boolean;
}

function readSheet(name: string, path: string, tools: SheetTools): Sheet {
  const sheet: Sheet = { name, rows: [], count: 0, isCut: false };
  const urls = targetsOf(tools.parts, path);
  const byAddress = new Map<string, Cell>();
  let row: Cell[] = [];
  let open: { address: string; type: string; style: string; value: string } | undefined;
  let inValue = false;
  readXml(tools.parts[path], {
    open: (tag, { r = "", t = "n", s = "", ref = "", "r:id": id = "" }) => {
      if (tag === "row") row = [];
      if (tag === "c") open = { address: r, type: t, style: s, value: "" };
      inValue = tag === "v" || tag === "t";
      const [linked, url] = [byAddress.get(ref), urls.get(id)];
      if (tag === "hyperlink" && linked && url !== undefined && /^(https?|mailto):/i.test(url))
        linked.url = url;
    },
    text: text => {
      if (inValue && open && open.value.length < maxCellLength) open.value += text;
    },
    close: tag => {
      inValue = false;
      if (tag === "row" && row.some(cell => cell.text !== "")) addRow(sheet, row, tools.budget);
      if (tag !== "c" || !open) return;
      const at = columnOf(open.address) ?? row.length;
      const cell = { text: textOf(open, tools) };
      if (at > maxColumns) sheet.isCut ||= cell.text !== "";
      else {
        while (row.length < at) row.push({ text: "" });
        row[at] = cell;
        if (sheet.rows.length < maxRows) byAddress.set(open.address, cell);
      }
      open = undefined;
    },
  });
  return sheet;
}

/** From 0: `B7` is 1. */
function columnOf(address: string): number | undefined {
  const letters = /^[A-Z]{1,3}(?=\d)/.exec(address)?.[0];
  if (letters === undefined) return undefined;
  return [...letters].reduce((sum, letter) => sum * 26 + letter.charCodeAt(0) - 64, 0) - 1;
}

function textOf(
  { type, style, value }: { type: string; style: string; value: string },
  { strings, formats, is1904 }: SheetTools,
): string {
  if (type === "s") return strings[Number(value)] ?? "";
  if (type === "b") return value === "1" ? "TRUE" : "FALSE";
  const number = Number(value);
  if (type !== "n" || value === "" || !Number.isFinite(number)) return value;
  const format = formats[Number(style || 0)] ?? "plain";
  if (format === "date") return dateText(number + (is1904 ? 1462 : 0));
  const exact = (given: number) => String(Number(given.toPrecision(15)));
  return format === "percent" ? `${exact(number * 100)}%` : exact(number);
}

const msPerDay = 86_400_000;
/** Day 0 is 30 December 1899: Excel counts a 29 February 1900. */
const dayZero = Date.UTC(1899, 11, 30);

/** A count of days as date, time or both. */
function dateText(days: number): string {
  const date = new Date(dayZero + Math.round(days * 86_400) * 1000);
  if (Number.isNaN(date.getTime()) || Math.abs(days * msPerDay) > 8e15) return String(days);
  const [day = "", rest = ""] = date.toISOString().split("T");
  const time = rest.slice(0, rest.startsWith(":00", 5) ? 5 : 8);
  if (Number.isInteger(days)) return day;
  return days >= 0 && days < 1 ? time : `${day} ${time}`;
}
