import type { WrittenEvent } from "../../../../mixins/event-log/event-log.ts";
import { type EventFilter, passes } from "../../../../services/api/streams/event-filter.ts";
import type { EventType } from "../../../../services/contracts/events.ts";

function event(type: EventType, source: { id: string; source: string } | null): WrittenEvent {
  const json = JSON.stringify({ id: "evt_1", type, timestamp: "", seq: 1, data: { source } });
  const sourceId = source?.id ?? null;
  return { seq: 1, id: "evt_1", type, timestamp: "", conversation: sourceId, sourceId, json };
}

const item = event("rss.item.created", { id: "7f", source: "RSS" });
const test1 = event("webhook.test", null);

test.each<[string, WrittenEvent, EventFilter, boolean]>([
  ["no filter", item, {}, true],
  ["its type", item, { types: ["rss.item.created"] }, true],
  ["one of the types", item, { types: ["web.page.changed", "rss.item.created"] }, true],
  ["another type", item, { types: ["rss.item.updated"] }, false],
  ["its kind", item, { sources: ["rss"] }, true],
  ["its kind in capitals", item, { sources: ["RSS"] }, true],
  ["another kind", item, { sources: ["web"] }, false],
  ["its source", item, { sources: ["7f"] }, true],
  ["another source", item, { sources: ["7"] }, false],
  ["another source, or its kind", item, { sources: ["7", "rss"] }, true],
  ["a tag of its source", item, { tagged: new Set(["7f"]) }, true],
  ["a tag of other sources", item, { tagged: new Set(["80"]) }, false],
  ["its kind and another's tag", item, { sources: ["rss"], tagged: new Set(["80"]) }, false],
  ["its type and its source", item, { types: ["rss.item.created"], sources: ["7f"] }, true],
  ["no source and a kind", test1, { sources: ["rss"] }, false],
  ["no source and a tag", test1, { tagged: new Set(["7f"]) }, false],
  ["no source and its type", test1, { types: ["webhook.test"] }, true],
])("%s", (_, written, filter, expected) => {
  expect(passes(written, filter)).toBe(expected);
});
