import type { JobNotice } from "../../contracts/webhook-dispatcher.contract.ts";
import { printableJson } from "../../domain/text/printable-json.ts";

const maxBytes = 256 * 1024 - 1;

/**
 * The body of a notice: an event without a log position, or the job alone in the form of another program. If it would be
 * 256 KB or more, the job's longest texts are cut.
 */
export function noticeBody(id: string, { type, timestamp, job, metadata, format }: JobNotice): string {
  const about = metadata && { metadata };
  const event = (job: object) =>
    format === "firecrawl" ? job : { id, type, timestamp, seq: null, data: { source: null, job, ...about } };
  const whole = printableJson(event(job));
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const bytes = maxBytes - bytesOf(event({ truncated: true }));
  return printableJson(event({ ...(truncateJson(job, bytes) as object), truncated: true }));
}

/**
 * Cuts the longest parts of a value, so that it takes at most `bytes` as JSON: texts and lists lose their ends, short
 * parts stay whole. An object with more names than fit becomes empty; undefined if nothing fits.
 */
export function truncateJson(value: unknown, bytes: number): unknown {
  if (bytesOf(value) <= bytes) return value;
  if (bytes < 2) return undefined;
  if (typeof value === "string") return cutText(value, bytes);
  if (Array.isArray(value)) return cutList(value, bytes);
  return typeof value === "object" && value !== null ? truncateObject(value, bytes) : undefined;
}

/** The size of a value as JSON, in bytes. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? "");
}

/** The longest prefix that fits, in whole characters. */
function cutText(text: string, bytes: number): string {
  // A character has at least one byte, so no more characters than bytes fit.
  let [low, high] = [0, Math.min(text.length, bytes)];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (bytesOf(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return text.slice(0, low).replace(/[\ud800-\udbff]$/, "");
}

function cutList(list: unknown[], bytes: number): unknown[] {
  let left = bytes - 2;
  const end = list.findIndex(item => {
    left -= bytesOf(item) + 1;
    return left < 0;
  });
  return end < 0 ? list : list.slice(0, end);
}

/** A part that needs less than an equal share leaves the rest to the others. */
function truncateObject(object: object, bytes: number): object {
  const fields = Object.entries(object).map(([name, value]) => ({ name, value, size: bytesOf(value) }));
  let left = bytes - 2 - fields.reduce((sum, { name }) => sum + bytesOf(name) + 2, 0);
  if (left < 0) return {};
  let others = fields.length;
  const fitted = new Map<string, unknown>();
  for (const { name, value, size } of fields.toSorted((a, b) => a.size - b.size)) {
    const share = Math.floor(left / others);
    fitted.set(name, size <= share ? value : truncateJson(value, share));
    left -= Math.min(size, share);
    others -= 1;
  }
  const kept = fields.map(({ name }) => [name, fitted.get(name)]);
  return Object.fromEntries(kept.filter(([, value]) => value !== undefined));
}
