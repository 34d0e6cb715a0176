import { product } from "../../../mixins/egress/identity.ts";
import { invalid } from "../../contracts/errors.ts";

const maxHeaders = 50;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const controlCharacter = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers of the connection (RFC 9110, 7.6.1), of the content, or of the signature. */
const ours =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|content-.*|webhook-.*)$/i;

/**
 * Checks the headers that a client adds to its deliveries. Throws a 400 that names the first wrong one; `field` is the
 * one that holds them.
 */
export function checkHeaders(headers: Record<string, string>, field: string): void {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders) throw invalid(field, "too_many", `Give at most ${maxHeaders} headers.`);
  const seen = new Set<string>();
  for (const [name, value] of entries) {
    checkHeader(`${field}.${name.slice(0, 100)}`, name, value);
    if (seen.has(name.toLowerCase()))
      throw invalid(`${field}.${name.slice(0, 100)}`, "duplicate", "Name each header once.");
    seen.add(name.toLowerCase());
  }
}

function checkHeader(field: string, name: string, value: string): void {
  if (!token.test(name)) throw invalid(field, "invalid_name", "This is not a valid header name.");
  if (ours.test(name))
    throw invalid(field, "forbidden_header", "The service sets this header itself: leave it out.");
  if (controlCharacter.test(value))
    throw invalid(field, "invalid_value", "A header value must not contain control characters.");
}

/** The headers of a request: a client's own, and the service's, which stand above them. */
export function withOwnHeaders(
  own: Record<string, string>,
  service: Record<string, string>,
): Record<string, string> {
  const added = Object.entries(own).map(([name, value]) => [name.toLowerCase(), value]);
  return { "user-agent": product, ...Object.fromEntries(added), ...service };
}
