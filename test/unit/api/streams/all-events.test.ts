import type { WrittenEvent } from "../../../../mixins/event-log/event-log.ts";
import { fits } from "../../../../services/api/streams/all-events.ts";
import type { EventType } from "../../../../services/contracts/events.ts";

function event(type: EventType, source: object | null): WrittenEvent {
  const json = JSON.stringify({ id: "evt_1", type, timestamp: "", seq: 1, data: { source } });
  return { seq: 1, id: "evt_1", type, timestamp: "", conversation: null, sourceId: null, json };
}

const item = event("rss.item.created", { id: "7f", source: "RSS" });
const test1 = event("webhook.test", null);

test.each<[string, WrittenEvent, { type?: string; source?: string }, boolean]>([
  ["no filter", item, {}, true],
  ["its type", item, { type: "rss.item.created" }, true],
  ["another type", item, { type: "rss.item.updated" }, false],
  ["its kind", item, { source: "rss" }, true],
  ["another kind", item, { source: "web" }, false],
  ["its source", item, { source: "7f" }, true],
  ["another source", item, { source: "7" }, false],
  ["its type and another source", item, { type: "rss.item.created", source: "8f" }, false],
  ["a source, of an event without one", test1, { source: "rss" }, false],
])("an event fits: %s", (_, of, filter, expected) => {
  expect(fits(of, filter)).toBe(expected);
});
