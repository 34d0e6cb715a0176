/* Turns the form of an endpoint into the body of a request. */
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { type Wanted, wantedBody } from "../events/wanted-events.ts";

/** The names of the formats. */
export const formats = {
  standard: "Standard: signed JSON",
  firecrawl: "As Firecrawl sends them",
  cloudevents: "CloudEvents: JSON",
  "cloudevents-binary": "CloudEvents: attributes in headers",
  slack: "Slack",
  discord: "Discord",
  ntfy: "ntfy",
  apprise: "Apprise",
  teams: "Microsoft Teams",
  telegram: "Telegram",
  matrix: "Matrix",
  pushover: "Pushover",
  gotify: "Gotify",
  text: "Plain text",
} as const;

/** The formats that have no template: programs read them. */
export const ofPrograms: readonly string[] = ["standard", "firecrawl", "cloudevents", "cloudevents-binary"];

/** The hint of the field for the address, by format. */
export const addressHints: Record<string, string> = {
  standard:
    "An HTTPS address of your program, which answers 2xx within 5 seconds, or the time below. Or you@example.com, or the address of Slack, Discord and others with their format below.",
  firecrawl: "An HTTPS address of a program that takes webhooks of Firecrawl.",
  cloudevents:
    "An HTTPS address of a program that takes CloudEvents: a broker of Knative, Event Grid, a gateway.",
  "cloudevents-binary": "An HTTPS address of a program that takes CloudEvents in binary mode.",
  slack: "The address of an incoming webhook: https://hooks.slack.com/services/…",
  discord: "The address of a webhook, from the settings of the channel: https://discord.com/api/webhooks/…",
  ntfy: "The address of a topic: https://ntfy.sh/your-topic",
  apprise: "The address of an Apprise API with its key: https://apprise.example.com/notify/…",
  teams: "The address of a workflow: Post to a channel when a webhook request is received.",
  telegram: "https://api.telegram.org/bot<token>/sendMessage?chat_id=<chat>",
  matrix:
    "https://<server>/_matrix/client/v3/rooms/<room>/send/m.room.message, with the header authorization: Bearer …",
  pushover: "https://api.pushover.net/1/messages.json?token=<application>&user=<user>",
  gotify: "https://<server>/message?token=<application>",
  text: "An HTTPS address that takes plain text.",
};

/** The names of the formats of mails. */
export const mailFormats = { standard: "Text and HTML", text: "Plain text" } as const;

/** The names of the intervals of mails. */
export const digestNames = {
  "": "With each event or batch",
  "15m": "Every 15 minutes",
  "1h": "Every hour",
  "1d": "Every day",
} as const;

export const mailHint = "The owner of the address has to confirm a first mail before anything else is sent.";

/** Whether an address is one of mail, with or without `mailto:`. */
export function isMail(url: string): boolean {
  return /^\s*(mailto:|[^\s/:@]+@[^\s/:@]+\s*$)/i.test(url);
}

function addressOf(written: string): string {
  const url = written.trim();
  return isMail(url) && !/^mailto:/i.test(url) ? `mailto:${url}` : url;
}

const hidden = "•••";

/** Makes the body of `POST /webhooks` and `PATCH /webhooks/{id}`. Throws an error with a sentence where headers are invalid. */
export function bodyOf(
  values: Record<string, string>,
  wanted: Wanted,
  before?: WebhookState,
): Record<string, unknown> {
  const { url = "", name = "", ordering, is_batched, max_events, max_wait_ms } = values;
  const { format = "standard", template = "", headers = "", digest = "", timeout_s, asymmetric } = values;
  const hasDigest = isMail(url) && digest !== "";
  const batch =
    is_batched === "yes" && !hasDigest
      ? { max_events: Number(max_events), max_wait_ms: Number(max_wait_ms) }
      : null;
  return {
    url: addressOf(url),
    name: name.trim() || null,
    ...wantedBody(wanted, before),
    format,
    template: template.trim() || null,
    ordering,
    batch,
    ...(isMail(url) && { digest: digest || null }),
    ...headersOf(headers, before),
    ...(timeout_s && { timeout_ms: Number(timeout_s) * 1000 }),
    ...(asymmetric && { asymmetric: asymmetric === "yes" }),
    ...expressionOf("filter", values.filter, before),
    ...expressionOf("transform", isMail(url) || format !== "standard" ? "" : values.transform, before),
    ...rateOf(values, before),
  };
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
