/* What the form of an endpoint says to the API. */
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";
import { type Wanted, wantedBody } from "../events/wanted-events.ts";

/** The formats, as people know them. */
export const formats = {
  standard: "Standard: signed JSON",
  slack: "Slack",
  discord: "Discord",
  ntfy: "ntfy",
  apprise: "Apprise",
  text: "Plain text",
} as const;

/** What the address of a receiver of this format is. */
export const addressHints: Record<string, string> = {
  standard:
    "An HTTPS address of your program, which answers 2xx within 5 seconds. Or you@example.com, or the address of Slack, Discord and others with their format below.",
  slack: "The address of an incoming webhook: https://hooks.slack.com/services/…",
  discord: "The address of a webhook, from the settings of the channel: https://discord.com/api/webhooks/…",
  ntfy: "The address of a topic: https://ntfy.sh/your-topic",
  apprise: "The address of an Apprise API with its key: https://apprise.example.com/notify/…",
  text: "An HTTPS address that takes plain text.",
};

/** The formats of mails. */
export const mailFormats = { standard: "Text and HTML", text: "Plain text" } as const;

/** How often mails come, as people say it. */
export const digestNames = {
  "": "With each event or batch",
  "15m": "Every 15 minutes",
  "1h": "Every hour",
  "1d": "Every day",
} as const;

export const mailHint = "The owner of the address has to confirm a first mail before anything else is sent.";

/** With or without `mailto:`, as people write an address of mail. */
export function isMail(url: string): boolean {
  return /^\s*(mailto:|[^\s/:@]+@[^\s/:@]+\s*$)/i.test(url);
}

function addressOf(written: string): string {
  const url = written.trim();
  return isMail(url) && !/^mailto:/i.test(url) ? `mailto:${url}` : url;
}

const hidden = "•••";

/** The body of `POST /webhooks` and `PATCH /webhooks/{id}`. Throws with a sentence where headers cannot be read. */
export function bodyOf(
  values: Record<string, string>,
  wanted: Wanted,
  before?: WebhookState,
): Record<string, unknown> {
  const { url = "", name = "", ordering, is_batched, max_events, max_wait_ms } = values;
  const { format = "standard", template = "", headers = "", digest = "" } = values;
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
  };
}

/** The names of the headers that are set; their values are not shown. */
export function headerLines(webhook: WebhookState | undefined): string {
  return Object.keys(webhook?.headers ?? {})
    .map(name => `${name}: ${hidden}`)
    .join("\n");
}

/** Nothing where they are as before. */
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
