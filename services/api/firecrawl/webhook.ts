import { invalid } from "../../contracts/errors.ts";
import type { JobWebhook } from "../../contracts/page-options.ts";
import type { Rule } from "../../contracts/schema.ts";
import { present } from "../../domain/json/fields.ts";
import { differs, refuse, rules } from "./options.ts";

/** A webhook as clients send it: its URL alone, or an object. */
export type WebhookSent =
  | string
  | {
      url?: string;
      headers?: Record<string, string> | null;
      metadata?: Record<string, unknown> | null;
      events?: string[] | null;
    };

const rule: Rule = {
  type: "multi",
  optional: true,
  rules: [
    { type: "string" },
    {
      type: "object",
      props: {
        url: rules.text,
        headers: { type: "record", value: { type: "string", empty: true }, optional: true, nullable: true },
        metadata: { type: "object", optional: true, nullable: true },
        events: { ...rules.texts, nullable: true },
      },
    },
  ],
};

export const webhookOption = differs(
  rule,
  "webhook",
  "its events are `started`, `page`, `completed` and `failed`, alone or with the name of the job before them; the answer has `webhookSecret` where the key had none yet. `screenshot` of a page is its key",
);

const events = ["started", "page", "completed", "failed"] as const satisfies JobWebhook["events"];

/** A job's webhook as Magpie takes it, with deliveries in Firecrawl's form. Throws a 400 that names what is wrong. */
export function webhookOf(sent: WebhookSent | null | undefined): Partial<JobWebhook> | undefined {
  if (sent === undefined || sent === null || sent === "") return undefined;
  const {
    url,
    headers,
    metadata,
    events: wanted,
    ...others
  } = typeof sent === "string" ? { url: sent } : sent;
  const [other] = Object.keys(others);
  if (other !== undefined) throw refuse(`webhook.${other}`, "this field.");
  if (!url) throw invalid("webhook.url", "required", "A webhook needs a `url`.");
  return {
    url,
    ...present({ headers: headers ?? undefined, metadata: metadata ?? undefined }),
    events: eventsOf(wanted ?? []),
    format: "firecrawl",
  };
}

/** All of them where none is named. */
function eventsOf(wanted: string[]): JobWebhook["events"] {
  if (wanted.length === 0) return [...events];
  return [...new Set(wanted.map(eventOf))];
}

function eventOf(name: string, at: number): JobWebhook["events"][number] {
  const event = events.find(each => each === name.replace(/^(crawl|batch_scrape)\./, ""));
  if (!event)
    throw refuse(`webhook.events.${at}`, `the event ${JSON.stringify(name)}. It has ${events.join(", ")}.`);
  return event;
}
