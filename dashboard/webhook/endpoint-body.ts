/* Turns the form of an endpoint into the body of a request. */

import type { DestinationType } from "../../services/contracts/destinations.ts";
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { type Wanted, wantedBody } from "../events/wanted-events.ts";
import { destinationOf, hidden } from "./destination-body.ts";
import { isDestinationType } from "./destinations.ts";
import { isMail } from "./formats.ts";

function addressOf(written: string): string {
  const url = written.trim();
  return isMail(url) && !/^mailto:/i.test(url) ? `mailto:${url}` : url;
}

/** The fields of the form by their names. */
type Values = Record<string, string>;

/** Makes the body of `POST /webhooks` and `PATCH /webhooks/{id}`. Throws an error with a sentence where a field is invalid. */
export function bodyOf(values: Values, wanted: Wanted, before?: WebhookState): Record<string, unknown> {
  const { name = "", ordering, timeout_s } = values;
  const type = values["destination.type"];
  return {
    ...(isDestinationType(type) ? ofDestination(type, values, before) : ofUrl(values, before)),
    name: name.trim() || null,
    ...wantedBody(wanted, before),
    ...(ordering && { ordering }),
    batch: batchOf(values),
    ...(timeout_s && { timeout_ms: Number(timeout_s) * 1000 }),
    ...expressionOf("filter", values.filter, before),
    ...rateOf(values, before),
  };
}

/** What endpoints with a URL or an address of mail have. */
function ofUrl(values: Values, before: WebhookState | undefined): Record<string, unknown> {
  const { url = "", format = "standard", template = "", headers = "", digest = "", asymmetric } = values;
  return {
    url: addressOf(url),
    format,
    template: template.trim() || null,
    ...(isMail(url) && { digest: digest || null }),
    ...headersOf(headers, before),
    ...(asymmetric && { asymmetric: asymmetric === "yes" }),
    ...expressionOf("transform", isMail(url) || format !== "standard" ? "" : values.transform, before),
  };
}

/** What a destination has no place for, as it is without. */
const onlyOfUrls = {
  format: "standard",
  template: null,
  transform: null,
  headers: null,
  metadata: null,
  client_certificate: null,
} as const;

function ofDestination(
  type: DestinationType,
  values: Values,
  before: WebhookState | undefined,
): Record<string, unknown> {
  const wasUrl = before !== undefined && before.destination === null;
  return { destination: destinationOf(type, values, before?.destination), ...(wasUrl && onlyOfUrls) };
}

function batchOf({ url = "", digest = "", is_batched, max_events, max_wait_ms }: Values): object | null {
  const hasDigest = isMail(url) && digest !== "";
  return is_batched === "yes" && !hasDigest
    ? { max_events: Number(max_events), max_wait_ms: Number(max_wait_ms) }
    : null;
}

/** Makes the field of an expression, or nothing where it did not change. */
function expressionOf(
  name: "filter" | "transform",
  written: string | undefined,
  before: WebhookState | undefined,
): Record<string, string | null> {
  const text = written?.trim() || null;
  return written === undefined || text === (before?.[name] ?? null) ? {} : { [name]: text };
}

/** Makes the field `rate`, or nothing where there is none. */
function rateOf({ per_second, burst }: Record<string, string>, before: WebhookState | undefined): object {
  if (per_second === undefined) return {};
  if (per_second === "") return before?.rate ? { rate: null } : {};
  return { rate: { per_second: Number(per_second), ...(burst && { burst: Number(burst) }) } };
}

/** Lists the names of the headers that are set, with dots in place of their values. */
export function headerLines(webhook: WebhookState | undefined): string {
  return Object.keys(webhook?.headers ?? {})
    .map(name => `${name}: ${hidden}`)
    .join("\n");
}

/** Makes the field `headers`, or nothing where the headers did not change. */
function headersOf(
  written: string,
  before: WebhookState | undefined,
): { headers?: Record<string, string> | null } {
  const text = written.trim();
  if (text === headerLines(before)) return {};
  if (text === "") return { headers: null };
  return { headers: Object.fromEntries(text.split("\n").filter(Boolean).map(pairOf)) };
}

function pairOf(line: string): [string, string] {
  const at = line.indexOf(":");
  if (at < 1) throw new Error("Write each header as name: value.");
  const name = line.slice(0, at).trim();
  const value = line.slice(at + 1).trim();
  if (value === hidden) throw new Error(`Type the value of the header ${name} again: it is not shown.`);
  return [name, value];
}
