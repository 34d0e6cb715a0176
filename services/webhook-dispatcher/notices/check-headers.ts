import { invalid } from "../../contracts/errors.ts";

const maxHeaders = 50;
const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const controlCharacter = /[^\t\x20-\x7e\x80-\xff]/;
/** Headers that belong to the connection (RFC 9110, 7.6.1), to the content, or to the signature. */
const ours =
  /^(host|connection|keep-alive|transfer-encoding|te|trailer|upgrade|expect|proxy-.*|content-.*|webhook-.*)$/i;

/** The headers that a job wants to be added to its deliveries; the first offence is thrown as a 400 that names it. */
export function checkHeaders(headers: Record<string, string>): void {
  const entries = Object.entries(headers);
  if (entries.length > maxHeaders)
    throw invalid("webhook.headers", "too_many", `Give at most ${maxHeaders} headers.`);
  for (const [name, value] of entries) {
    const field = `webhook.headers.${name.slice(0, 100)}`;
    if (!token.test(name)) throw invalid(field, "invalid_name", "This is not a header name.");
    if (ours.test(name))
      throw invalid(field, "forbidden_header", "This header is the service's own: leave it out.");
    if (controlCharacter.test(value))
      throw invalid(field, "invalid_value", "A header value holds no control characters.");
  }
}
