import { RE2JS } from "re2js";
import { normalEncoding } from "./percent-encoding.ts";

const urlGlob = /^https?:\/\/(?:www\.(?=[^./]+\.))?([^/?]*)/i;

/** Whether a glob is meant for the whole URL. */
export function isUrlGlob(glob: string): boolean {
  return urlGlob.test(glob);
}

/**
 * The regular expression (RE2) for a glob over a path without a slash at its end, or over host and path; both with their
 * query.
 */
export function globSource(glob: string): string {
  const whole = urlGlob.exec(glob);
  const host = whole === null ? "" : wildcards(hostOf(whole[1] ?? ""), "[^/]*");
  const { path, query } = parts(whole === null ? glob : glob.slice(whole[0].length), whole !== null);
  const rest = query === undefined ? "(?:\\?.*)?" : `\\?${wildcards(normalEncoding(query), ".*")}`;
  return `^${host}${path.split("/").slice(1).map(segmentSource).join("")}${rest}$`;
}

function parts(text: string, isAfterHost: boolean): { path: string; query: string | undefined } {
  const at = text.indexOf("?");
  const path = normalEncoding(at < 0 ? text : text.slice(0, at)).replace(/\/$/, "");
  const isAnchored = isAfterHost || path === "" || path.startsWith("/");
  return { path: isAnchored ? path : `/**/${path}`, query: at < 0 ? undefined : text.slice(at + 1) };
}

function segmentSource(segment: string): string {
  if (segment === "**") return "(?:/[^/]*)*";
  return segment === "*" ? "/[^/]+" : `/${wildcards(segment, "[^/]*")}`;
}

/** `one` stands for a single asterisk. */
function wildcards(text: string, one: string): string {
  const pieces = text.split(/(\*+)/).map((piece, at) => {
    if (at % 2 === 0) return RE2JS.quote(piece);
    return piece === "*" ? one : ".*";
  });
  return pieces.join("");
}

function hostOf(text: string): string {
  return text.toLowerCase().split(".").map(asciiLabel).join(".");
}

/** A label may hold wildcards, which no host name can. */
function asciiLabel(label: string): string {
  return /^[\u0000-\u007f]*$/.test(label) ? label : (URL.parse(`http://${label}`)?.hostname ?? label);
}
