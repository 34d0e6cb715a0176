import { clusterLogEvents } from "./events/cluster.log-events.ts";
import { crawlerLogEvents } from "./events/crawler.log-events.ts";
import { gatewayLogEvents } from "./events/gateway.log-events.ts";
import { keysLogEvents } from "./events/keys.log-events.ts";
import type { LogEventRows } from "./events/log-event.ts";
import { platformLogEvents } from "./events/platforms.log-events.ts";
import { processLogEvents } from "./events/process.log-events.ts";
import { scraperLogEvents } from "./events/scraper.log-events.ts";
import { trackerLogEvents } from "./events/tracker.log-events.ts";
import { webhooksLogEvents } from "./events/webhooks.log-events.ts";

/** Every line that the service logs itself, by its name. */
export const logEvents = {
  ...processLogEvents,
  ...clusterLogEvents,
  ...gatewayLogEvents,
  ...keysLogEvents,
  ...scraperLogEvents,
  ...crawlerLogEvents,
  ...trackerLogEvents,
  ...platformLogEvents,
  ...webhooksLogEvents,
};

export type LogEvent = keyof typeof logEvents;

/** All rows by subject, in the order of the reference. */
export const logEventSections: Record<string, LogEventRows> = {
  "Every process": processLogEvents,
  "A node of a cluster": clusterLogEvents,
  Gateway: gatewayLogEvents,
  "Keys and quotas": keysLogEvents,
  Scrapes: scraperLogEvents,
  "Crawls and batches": crawlerLogEvents,
  Sources: trackerLogEvents,
  "Networks and hubs": platformLogEvents,
  Webhooks: webhooksLogEvents,
};

type LevelOf<Event extends LogEvent> = (typeof logEvents)[Event]["level"];

/** A logger that has the level of the event. Moleculer's has all of them. */
export type LoggerFor<Event extends LogEvent> = Record<LevelOf<Event>, (...line: unknown[]) => void>;

/**
 * Logs one line. Its level comes from the table, so that an event has the same one everywhere. Product code calls no method
 * of a logger itself; a test holds that.
 */
export function logEvent<Event extends LogEvent>(
  logger: LoggerFor<Event>,
  event: Event,
  fields: object = {},
): void {
  const level: LevelOf<Event> = logEvents[event].level;
  logger[level](event, fields);
}
