/**
 * One spelling of what may be percent-encoded in different ways (RFC 3986, 6.2.2): unreserved characters stand bare,
 * escapes are in upper case, and what is not ASCII is encoded as UTF-8.
 */
export function normalEncoding(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\u0021-\u007e]+/g, encodeURIComponent)
    .replace(/%[0-9a-f]{2}/gi, escaped => {
      const character = String.fromCharCode(Number.parseInt(escaped.slice(1), 16));
      return /[\w.~-]/.test(character) ? character : escaped.toUpperCase();
    });
}
