import type { DetailCode, FieldError } from "../errors/detail-codes.ts";
import { present } from "../json/fields.ts";
import type { Rendering } from "../page-options/check-actions.ts";
import { checkPageOptions } from "../page-options/page-options.ts";
import type { Extract } from "./view.ts";

/** How a page is asked for and read. Null removes an option. */
export interface Reading {
  method?: "GET" | "POST" | null;
  body?: string | Record<string, unknown> | null;
  headers?: Record<string, string> | null;
  cookies?: Record<string, string> | null;
  render?: "auto" | "never" | "always" | null;
  wait_for?: { selector?: string; ms?: number } | null;
  actions?: Rendering["actions"] | null;
  session?: Parameters<typeof checkPageOptions>[0]["session"] | null;
  extract?: Extract | null;
  screenshot?: boolean | null;
}

/** Milliseconds that a poll has for what a page waits for. */
const longestWaitMs = 20_000;

/** What a page is asked with, and what is waited for, follow the rules of scrapes. */
export function checkReading(options: Reading): FieldError | null {
  const { headers, cookies, method, render, wait_for, actions, session } = options;
  const ofBrowser = wait_for ? "wait_for" : actions?.length ? "actions" : undefined;
  const torn = checkBody(options) ?? checkPlain(options, ofBrowser);
  if (torn) return torn;
  if (ofBrowser && render === "never")
    return wrong(ofBrowser, "contradiction", "`render` is `never`, and this is for a browser.");
  const request = { headers: sent(headers), cookies: sent(cookies), isPosted: method === "POST" };
  const js_render = { enabled: true, ...(wait_for && { wait_for }), ...(actions && { actions }) };
  const asked = { output: { formats: [] }, request, js_render, ...(session && { session }) };
  const error = checkPageOptions(asked, [], longestWaitMs);
  if (error === null) return null;
  // Waits that are too long together are named as a whole.
  const field = error.field
    .replace(/^js_render$/, ofBrowser ?? "wait_for")
    .replace(/^(?:request|js_render)\./, "");
  return { ...error, field };
}

type Kept = Omit<Reading, "body" | "headers" | "cookies" | "session">;

/** What of a kept view changes of it may contradict; its body is hidden. */
export function keptReading<View extends Kept & { sealed?: { body?: true } }>({
  method,
  render,
  wait_for,
  actions,
  extract,
  screenshot,
  sealed,
}: View): Partial<Pick<View, keyof Kept>> & { body?: string } {
  const kept = present({ method, render, wait_for, actions, extract, screenshot });
  return { ...(kept as Partial<Pick<View, keyof Kept>>), ...(sealed?.body && { body: hidden }) };
}

/** How answers show a secret value. */
const hidden = "•••";

/** Bytes; a parameter's rule counts characters. */
const maxBodyBytes = 65_536;

function checkBody({ method, body }: Reading): FieldError | null {
  if (body === undefined || body === null) return null;
  if (method !== "POST")
    return wrong("body", "contradiction", "A body is sent by POST: set `method` to `POST`.");
  const text = typeof body === "string" ? body : JSON.stringify(body);
  return Buffer.byteLength(text) > maxBodyBytes
    ? wrong("body", "too_long", "A body has 64 KB at most.")
    : null;
}

/** What is read as its server sends it has no browser. */
function checkPlain(
  { method, extract, render, screenshot }: Reading,
  ofBrowser: string | undefined,
): FieldError | null {
  const shown = ofBrowser ?? (render === "always" ? "render" : screenshot ? "screenshot" : undefined);
  if (!shown) return null;
  if (extract)
    return wrong(
      shown,
      "contradiction",
      "`extract` reads the document as it was sent, and this is for a browser.",
    );
  if (method !== "POST") return null;
  return wrong(
    shown,
    "contradiction",
    "The answer to a POST is read as it was sent, and this is for a browser.",
  );
}

/** Leaves out the values that an answer has hidden: they mean the former ones. */
function sent(values: Record<string, string> | null | undefined): Record<string, string> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== hidden));
}

function wrong(field: string, code: DetailCode, message: string): FieldError {
  return { field, code, message };
}
