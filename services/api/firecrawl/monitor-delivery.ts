import type { WebhookState } from "../../contracts/endpoint-options.ts";
import { invalid } from "../../contracts/errors.ts";
import type { EventType } from "../../contracts/events.ts";
import { type Monitor, monitorTag } from "../../contracts/monitors.contract.ts";
import {
  changeEndpoint,
  createEndpoint,
  listWebhooks,
  removeEndpoint,
} from "../../contracts/webhook-dispatcher.contract.ts";
import { present } from "../../domain/json/fields.ts";
import { type Asked, ask } from "./ask.ts";

/** A webhook as their clients send it. */
export interface WebhookSent {
  url: string;
  headers?: Record<string, string> | null;
  metadata?: Record<string, unknown> | null;
  events?: string[] | null;
}

export interface NotificationSent {
  email?: { enabled?: boolean; recipients?: string[]; includeDiffs?: boolean } | null;
}

/** What is to be delivered of a monitor: null for no longer, undefined where it stays. */
export interface DeliverySent {
  webhook?: WebhookSent | null;
  notification?: NotificationSent | null;
}

const eventNames: Record<string, EventType> = {
  "monitor.page": "monitor.page",
  "monitor.check.completed": "monitor.checked",
};

/** The types of events that a webhook wants. Throws a 400 for names that they do not have. */
export function typesOf({ events }: WebhookSent): EventType[] {
  const wanted = events?.length ? events : Object.keys(eventNames);
  return [...new Set(wanted)].map((name, at) => {
    const type = Object.hasOwn(eventNames, name) ? eventNames[name] : undefined;
    if (type) return type;
    throw invalid(`webhook.events.${at}`, "enum", `The events are ${Object.keys(eventNames).join(" and ")}.`);
  });
}

/** The addresses that mails go to; none where they are switched off. */
export function recipientsOf({ email }: NotificationSent): string[] {
  if (!email?.enabled) return [];
  const { recipients = [] } = email;
  if (recipients.length > 0 && recipients.length <= 25) return [...new Set(recipients)];
  const message = "Name 1 to 25 recipients: Magpie knows no addresses of a team.";
  throw invalid("notification.email.recipients", "required", message);
}

/** A mail says what changed. A check of many pages becomes one mail. */
const mailed: EventType[] = [
  "web.page.changed",
  "site.page.added",
  "site.page.changed",
  "site.page.removed",
  "site.page.moved",
  "site.changed",
  "search.result.found",
  "source.failing",
];
const joined = { max_events: 100, max_wait_ms: 60_000 };

/** The endpoints of a monitor: those with its tag alone. */
export async function endpointsOf(asked: Asked, monitorId: string): Promise<WebhookState[]> {
  const { data } = await ask(asked, listWebhooks, {});
  return data.filter(({ tags }) => tags?.length === 1 && tags[0] === monitorTag(monitorId));
}

/** Makes the endpoints of a monitor those that are wanted; answers the secret of a new webhook. */
export async function deliver(
  asked: Asked,
  { id, name }: Pick<Monitor, "id" | "name">,
  { webhook, notification }: DeliverySent,
): Promise<string | undefined> {
  const known = await endpointsOf(asked, id);
  const mails = known.filter(isMail);
  if (notification !== undefined) {
    const wanted = notification === null ? [] : recipientsOf(notification);
    for (const { id: endpoint, url } of mails)
      if (!wanted.some(each => addressOf(url) === each.toLowerCase())) await remove(asked, endpoint);
    const left = new Set(mails.map(({ url }) => addressOf(url)));
    for (const recipient of wanted.filter(each => !left.has(each.toLowerCase()))) {
      const options = { url: `mailto:${recipient}`, name, tags: [monitorTag(id)], event_types: mailed };
      const names = [["url", "notification.email.recipients"]] as const;
      await ask(asked, createEndpoint, { ...options, batch: joined, meaningful: true }, { names });
    }
  }
  return webhook === undefined ? undefined : await hook(asked, { id, name }, known.find(isHook), webhook);
}

async function hook(
  asked: Asked,
  { id, name }: Pick<Monitor, "id" | "name">,
  known: WebhookState | undefined,
  wanted: WebhookSent | null,
): Promise<string | undefined> {
  if (wanted === null) {
    if (known) await remove(asked, known.id);
    return undefined;
  }
  const { url, headers = null, metadata = null } = wanted;
  const options = { url, headers, metadata, event_types: typesOf(wanted) };
  const names = [
    ["url", "webhook.url"],
    ["headers", "webhook.headers"],
    ["metadata", "webhook.metadata"],
  ] as const;
  if (known) {
    await ask(asked, changeEndpoint, { id: known.id, ...options }, { names });
    return undefined;
  }
  const made = { ...options, name, format: "firecrawl", tags: [monitorTag(id)] };
  return (await ask(asked, createEndpoint, made, { names })).data.secret;
}

async function remove(asked: Asked, id: string): Promise<void> {
  await ask(asked, removeEndpoint, { id });
}

function isMail({ url }: WebhookState): boolean {
  return url.startsWith("mailto:");
}

function isHook({ format, url }: WebhookState): boolean {
  return format === "firecrawl" && !url.startsWith("mailto:");
}

function addressOf(url: string): string {
  return decodeURIComponent(url.slice("mailto:".length)).toLowerCase();
}

const consents = {
  ACTIVE: "confirmed",
  FAILED: "confirmed",
  UNCONFIRMED: "pending",
  DISABLED: "unsubscribed",
};

/** What is delivered of a monitor, as their clients read it. */
export function deliveryOf(endpoints: WebhookState[], secret?: string) {
  const webhook = endpoints.find(isHook);
  const mails = endpoints.filter(isMail);
  const email = {
    enabled: mails.length > 0,
    recipients: mails.map(({ url }) => addressOf(url)),
    includeDiffs: true,
  };
  return {
    webhook: webhook
      ? {
          url: webhook.url,
          headers: webhook.headers,
          metadata: webhook.metadata ?? {},
          events: Object.keys(eventNames).filter(name =>
            webhook.event_types?.includes(eventNames[name] as EventType),
          ),
          ...present({ secret }),
        }
      : null,
    notification: mails.length > 0 ? { email } : null,
    ...(mails.length > 0 && {
      emailRecipientSubscriptions: mails.map(({ url, status }) => ({
        ...{ email: addressOf(url), status: consents[status], source: "opt_in" },
      })),
    }),
  };
}
