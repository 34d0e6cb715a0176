import type { WebhookState } from "../../contracts/endpoint-options.ts";
import { invalid } from "../../contracts/errors.ts";
import type { EventType } from "../../contracts/events.ts";
import { type Monitor, monitorTag } from "../../contracts/monitors.contract.ts";
import {
  admitMonitorEndpoint,
  changeEndpoint,
  createMonitorEndpoint,
  listWebhooks,
  removeEndpoint,
} from "../../contracts/webhook-dispatcher.contract.ts";
import { present } from "../../domain/json/fields.ts";
import { type Asked, ask } from "./ask.ts";
import type { FieldNames } from "./failure.ts";

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
    throw invalid(
      `webhook.events.${at}`,
      "not_allowed",
      `The events are ${Object.keys(eventNames).join(" and ")}.`,
    );
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
  "web.item.created",
  "site.page.added",
  "site.page.changed",
  "site.page.removed",
  "site.page.moved",
  "site.changed",
  "search.result.found",
  "source.failing",
];
const joined = { max_events: 100, max_wait_ms: 60_000 };

/** The endpoints of the key's monitors, by the monitor. */
export async function endpointsOfMonitors(asked: Asked): Promise<Map<string, WebhookState[]>> {
  const { data } = await ask(asked, listWebhooks, {});
  return Map.groupBy(
    data.filter(({ monitor }) => monitor !== null),
    ({ monitor }) => monitor ?? "",
  );
}

const hookNames = [
  ["url", "webhook.url"],
  ["headers", "webhook.headers"],
  ["metadata", "webhook.metadata"],
] as const;
const mailNames = [["url", "notification.email.recipients"]] as const;

/** What becomes of the endpoints of a monitor. */
export interface Plan {
  /** New endpoints, and the names of their fields in the request. */
  added: { options: EndpointSent; names: FieldNames }[];
  /** How its webhook changes. */
  changed?: { id: string; options: EndpointSent };
  /** Ids. */
  removed: string[];
}

type EndpointSent = { url: string } & Record<string, unknown>;

/** Plans the endpoints that are wanted, and throws what would refuse one of them: nothing has changed then. */
export async function planDelivery(
  asked: Asked,
  known: WebhookState[],
  { webhook, notification }: DeliverySent,
): Promise<Plan> {
  const mails = mailsPlanned(known.filter(isMail), notification);
  const hook = hookPlanned(known.find(isHook), webhook);
  const plan = {
    ...hook,
    added: [...hook.added, ...mails.added],
    removed: [...hook.removed, ...mails.removed],
  };
  const changed = plan.changed ? [{ options: plan.changed.options, names: hookNames }] : [];
  for (const { options, names } of [...changed, ...plan.added])
    await ask(asked, admitMonitorEndpoint, { ...options, more: plan.added.length }, { names });
  return plan;
}

function mailsPlanned(known: WebhookState[], notification: NotificationSent | null | undefined): Plan {
  if (notification === undefined) return { added: [], removed: [] };
  const wanted = notification === null ? [] : recipientsOf(notification);
  const named = new Set(wanted.map(each => each.toLowerCase()));
  const left = new Set(known.map(({ url }) => addressOf(url)));
  return {
    added: wanted
      .filter(each => !left.has(each.toLowerCase()))
      .map(each => ({
        options: { url: `mailto:${each}`, event_types: mailed, batch: joined, meaningful: true },
        names: mailNames,
      })),
    removed: known.filter(({ url }) => !named.has(addressOf(url))).map(({ id }) => id),
  };
}

function hookPlanned(known: WebhookState | undefined, wanted: WebhookSent | null | undefined): Plan {
  const plan: Plan = { added: [], removed: [] };
  if (wanted === undefined) return plan;
  if (wanted === null) return { ...plan, removed: known ? [known.id] : [] };
  const { url, headers = null, metadata = null } = wanted;
  const options = { url, headers, metadata, event_types: typesOf(wanted), format: "firecrawl" };
  return known
    ? { ...plan, changed: { id: known.id, options } }
    : { ...plan, added: [{ options, names: hookNames }] };
}

/** What was added: the secret of a new webhook, and how to take all of it back. */
export interface Added {
  secret?: string;
  undo(): Promise<void>;
}

/** Adds the new endpoints. Nothing stays of them where one is refused after all. */
export async function addPlanned(
  asked: Asked,
  { id: monitor, name }: Pick<Monitor, "id" | "name">,
  { added }: Plan,
): Promise<Added> {
  const ids: string[] = [];
  const undo = async () => {
    for (const id of ids) await ask(asked, removeEndpoint, { id });
  };
  const common = { monitor, name: name.slice(0, longestName), tags: [monitorTag(monitor)] };
  let shown: string | undefined;
  try {
    for (const { options, names } of added) {
      const { id, secret } = await ask(asked, createMonitorEndpoint, { ...options, ...common }, { names });
      ids.push(id);
      if (options.format === "firecrawl") shown = secret;
    }
  } catch (error) {
    await undo();
    throw error;
  }
  return { undo, ...(shown !== undefined && { secret: shown }) };
}

/** The name of an endpoint is shorter than that of a monitor may be. */
const longestName = 100;

/** Makes the changes of a plan, and removes what is no longer wanted. */
export async function finishPlanned(asked: Asked, { changed, removed }: Plan): Promise<void> {
  if (changed) await ask(asked, changeEndpoint, { id: changed.id, ...changed.options }, { names: hookNames });
  for (const id of removed) await ask(asked, removeEndpoint, { id });
}

function isMail({ url }: WebhookState): boolean {
  return url.startsWith("mailto:");
}

function isHook(endpoint: WebhookState): boolean {
  return !isMail(endpoint);
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
