/* What the form of an endpoint says to the API. */
import type { WebhookState } from "../../services/contracts/endpoint-options.ts";

/** The formats, as people know them. */
export const formats = {
  standard: "Standard Webhooks: signed JSON",
  slack: "Slack",
  discord: "Discord",
  ntfy: "ntfy",
  apprise: "Apprise",
  text: "Plain text",
} as const;

const hidden = "•••";

/** The body of `POST /webhooks` and `PATCH /webhooks/{id}`. Throws with a sentence where headers cannot be read. */
export function bodyOf(
  values: Record<string, string>,
  eventTypes: string[],
  before?: WebhookState,
): Record<string, unknown> {
  const { url = "", name = "", tags = "", ordering, is_batched, max_events, max_wait_ms } = values;
  const { format = "standard", template = "", headers = "" } = values;
  const batch =
    is_batched === "yes" ? { max_events: Number(max_events), max_wait_ms: Number(max_wait_ms) } : null;
  return {
    url: url.trim(),
    name: name.trim() || null,
    event_types: listOf(eventTypes, before?.event_types),
    tags: listOf(
      tags
        .split(",")
        .map(each => each.trim())
        .filter(Boolean),
      before?.tags,
    ),
    format,
    template: template.trim() || null,
    ordering,
    batch,
    ...headersOf(headers, before),
  };
}

/** Null for none: all of them. */
function listOf(chosen: string[], before: readonly string[] | null | undefined): string[] | null | undefined {
  if (chosen.length > 0) return chosen;
  return before && before.length > 0 ? null : undefined;
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
