import { decodeHTML } from "entities";
import { collapse } from "../html/plain-text.ts";

/** A text as a page states it, on one line. Programs that write pages escape texts twice: `&amp;amp;`. */
export function stated(value: string | undefined): string {
  const text = collapse(value ?? "").trim();
  return /&(?:#\d{1,6}|#x[\da-f]{1,5}|[a-z]{2,8});/i.test(text) ? decodeHTML(text).trim() : text;
}
