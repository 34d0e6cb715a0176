import type { IncomingMessage } from "node:http";
import { MIMEType } from "node:util";
import { fail } from "../../contracts/errors.ts";
import { checkJson } from "./check-json.ts";

export const maxBodyBytes = 1024 * 1024;

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** The JSON object that a request carries; an empty one when it has no body. Throws 400, 413 and 415. */
export async function readBody(req: IncomingMessage): Promise<Record<string, unknown>> {
  const length = Number(req.headers["content-length"] ?? 0);
  if (length === 0 && req.headers["transfer-encoding"] === undefined) return {};
  checkType(req);
  if (length > maxBodyBytes) throw tooLarge();
  const bytes = await collect(req);
  return bytes.length === 0 ? {} : checkJson(parse(bytes));
}

/** The bytes that a request carries, of whatever type. Throws 400 and 413. */
export async function readBytes(req: IncomingMessage): Promise<Buffer> {
  if (Number(req.headers["content-length"] ?? 0) > maxBodyBytes) throw tooLarge();
  return collect(req);
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
    // Node throws for what is no media type at all.
    return false;
  }
}

/** Stops keeping bytes at the limit; the rest is read off the connection and dropped, so that the answer arrives. */
function collect(req: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    req.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBodyBytes) chunks.push(chunk);
      else {
        chunks.length = 0;
        reject(tooLarge());
      }
    });
    req.once("end", () => resolve(Buffer.concat(chunks)));
    req.once("error", cause => reject(fail("malformed_request", "The body broke off.", {}, cause)));
  });
}

function tooLarge(): Error {
  return fail("payload_too_large", "The body may have at most 1 MB.");
}

function parse(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes));
  } catch (error) {
    throw fail("malformed_json", "The body is not valid JSON.", {}, error);
  }
}
