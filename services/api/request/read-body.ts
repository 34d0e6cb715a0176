import type { IncomingMessage } from "node:http";
import { MIMEType } from "node:util";
import { fail, invalid } from "../../contracts/errors.ts";

const maxBodyBytes = 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object in a request's body; an empty one when there is no body. Throws 400, 413 and 415. */
export async function readBody(req: IncomingMessage): Promise<Record<string, unknown>> {
  const length = Number(req.headers["content-length"] ?? 0);
  if (length === 0 && req.headers["transfer-encoding"] === undefined) return {};
  checkType(req);
  if (length > maxBodyBytes) throw tooLarge();
  const bytes = await collect(req);
  if (bytes.length === 0) return {};
  return parseObject(bytes);
}

/** The JSON object in bytes, checked as a body is; errors name `field`. Throws 400. */
export function parseObject(bytes: Uint8Array, field = ""): Record<string, unknown> {
  checkShape(bytes);
  return checkJson(parse(bytes, field), field);
}

/** The bytes of a request's body, of any type. Throws 400 and 413. */
export async function readBytes(req: IncomingMessage, maxBytes = maxBodyBytes): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  return collect(req, maxBytes);
}

function checkType(req: IncomingMessage): void {
  if (!isJson(req.headers["content-type"] ?? ""))
    throw fail(
      "unsupported_media_type",
      "Send the body as JSON in UTF-8, with content-type: application/json.",
    );
  if ((req.headers["content-encoding"] ?? "identity") !== "identity")
    throw fail("unsupported_media_type", "Send the body without a content-encoding.");
}

/** `application/json` or `application/*+json` (RFC 6839), in UTF-8. */
function isJson(header: string): boolean {
  if (header === "application/json") return true;
  try {
    const { type, subtype, params } = new MIMEType(header);
    const charset = params.get("charset")?.toLowerCase() ?? "utf-8";
    return type === "application" && (subtype === "json" || subtype.endsWith("+json")) && charset === "utf-8";
  } catch {
    // Node throws for text that is not a media type.
    return false;
  }
}

/** Keeps bytes up to the limit. It reads and drops the rest, because a client that is still sending may miss the answer. */
function collect(req: IncomingMessage, maxBytes = maxBodyBytes): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge(maxBytes));
      }
    });
    req.once("end", () => resolve(Buffer.concat(chunks)));
    req.once("error", cause => reject(fail("malformed_request", "The body ended early.", {}, cause)));
  });
}

function tooLarge(maxBytes = maxBodyBytes): Error {
  return fail("payload_too_large", `The body may have at most ${maxBytes / 1024 / 1024} MB.`);
}

function parse(bytes: Uint8Array, field: string): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    const place = placeOf(error);
    if (field !== "") throw invalid(field, "malformed", `\`${field}\` is not valid JSON${place}.`);
    throw fail("malformed_json", `The body is not valid JSON${place}.`, {}, error);
  }
}

/** Where a text stops to be JSON, by the words of V8: it names a position in long texts, and the character in short ones. */
function placeOf(error: unknown): string {
  const said = error instanceof SyntaxError ? error.message : "";
  const [, at] = /at position (\d+)/.exec(said) ?? [];
  if (at !== undefined) return `, at character ${Number(at) + 1}`;
  const [, token] = /^Unexpected token '(.{1,2})'/u.exec(said) ?? [];
  if (token !== undefined) return `: \`${token}\` is out of place`;
  return said.startsWith("Unexpected end") || said.startsWith("Unterminated") ? ": it ends too early" : "";
}

const forbiddenNames = new Set(["__proto__", "constructor", "prototype"]);

/**
 * Accepts bodies that are safe to process: an object without a name that reaches a prototype, and without a text that has no
 * UTF-8 form (RFC 8259, 8.2). The last because half a surrogate pair is stored as a different text than the one used to look
 * it up.
 */
function checkJson(value: unknown, field: string): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw invalid(field, "object", `${field === "" ? "The body" : `\`${field}\``} must be a JSON object.`);
  walk(value);
  return value as Record<string, unknown>;
}

/** Whether a name would reach a prototype when it is copied onto another object. */
export function isForbiddenName(name: string): boolean {
  return forbiddenNames.has(name);
}

function walk(value: object): void {
  for (const [name, inner] of Object.entries(value)) {
    if (!Array.isArray(value)) checkName(name);
    if (typeof inner === "string") checkText(inner, name);
    else if (typeof inner === "object" && inner !== null) walk(inner);
  }
}

function checkName(name: string): void {
  if (isForbiddenName(name))
    throw invalid(name, "forbidden_name", "A field may not be named __proto__, constructor or prototype.");
  checkText(name, "");
}

function checkText(text: string, field: string): void {
  if (!text.isWellFormed())
    throw invalid(field.slice(0, 128), "ill_formed_text", "The body has half of a surrogate pair.");
}

const maxDepth = 32;
// The validator reports each error of each member, and breaks down at some 100,000 errors.
const maxMembers = 10_000;
const maxMembersOfAll = 100_000;

/** The bytes of JSON that make its shape. */
const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/**
 * Refuses what is nested too deep or has too many members, before it is parsed: a megabyte of short members takes a
 * hundred times as long to parse as to count.
 */
function checkShape(bytes: Uint8Array): void {
  const members = [0];
  let all = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === quote) at = endOfText(bytes, at);
    else if (byte === openList || byte === openObject) {
      if (members.push(1) - 1 > maxDepth)
        throw invalid("", "too_deep", `The body may be nested ${maxDepth} levels deep at most.`);
    } else if ((byte === closeList || byte === closeObject) && members.length > 1) members.pop();
    else if (byte === comma) {
      all += 1;
      const count = (members.pop() ?? 0) + 1;
      members.push(count);
      if (count > maxMembers || all > maxMembersOfAll) throw tooMany(all > maxMembersOfAll);
    }
  }
}

/** Where the text that begins at a quote ends. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== quote) at += bytes[at] === backslash ? 2 : 1;
  return at;
}

function tooMany(isInAll: boolean): Error {
  const message = isInAll
    ? `The body may have ${maxMembersOfAll} members in all at most.`
    : `A list or an object may have ${maxMembers} members at most.`;
  return invalid("", "too_many", message);
}
