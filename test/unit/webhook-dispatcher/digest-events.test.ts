import type { EventLog, WrittenEvent } from "../../../mixins/event-log/event-log.ts";
import { markFailed, newLane } from "../../../services/domain/delivery/lane.ts";
import { digestEvents } from "../../../services/webhook-dispatcher/lanes/digest-events.ts";
import { wantedEvents } from "../../../services/webhook-dispatcher/lanes/wanted-events.ts";
import type { StoredEndpoint } from "../../../services/webhook-dispatcher/webhooks.store.ts";

const event = (seq: number) =>
  ({ seq, id: `${seq}`, type: "site.page.changed", sourceId: "a", json: "{}" }) as WrittenEvent;

test("a digest has what a former filter left out, where a replay has asked for it", async () => {
  const events = [event(1), event(2), event(3)];
  const log = { readWithin: async () => ({ events, more: false }) } as unknown as EventLog;
  const former = [{ event_types: null, sources: ["b"], tags: null, until: 2 }];
  const endpoint = { _id: "k", webhookId: "w", sources: ["a"], former } as unknown as StoredEndpoint;
  const wanted = wantedEvents({ of: async () => new Set() }, { match: async () => [] });
  const retry = { seq: 1, conversation: "c", failures: 0, notBefore: 0, failedAt: 0 };
  const lane = markFailed(newLane(0), [retry]);
  const { shown } = await digestEvents({ log, wanted }, endpoint, "k", lane);
  expect(shown.map(({ seq }) => seq)).toEqual([1, 3]);
});
