import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import type { EventType } from "../../services/contracts/events.ts";
import { endpointOverrides, endpointServices } from "../suites/webhook-endpoints.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

/* How much one replay chooses, and where its choice begins and ends. The endpoint is disabled: what is chosen waits. */

let magpie: Magpie;
let log: EventLog;
let client: { id: string; key: string };

beforeAll(async () => {
  magpie = await startMagpie(endpointOverrides, config => endpointServices.map(service => service(config)));
  ({ log } = magpie.broker.getLocalService("writer") as unknown as WithLog);
});
afterAll(() => magpie.stop());
beforeEach(async () => {
  const body = { owner: "ann", name: "n", limits: { requestsPerMinute: 1_000_000 } };
  const made = await magpie.request("POST", "/internal/keys", { admin: true, body });
  client = made.json<{ data: typeof client }>().data;
});

let count = 0;
async function append(events: number, type: EventType = "rss.item.created", source = "a"): Promise<void> {
  for (let left = events; left > 0; left -= 1_000) {
    const made = Array.from({ length: Math.min(left, 1_000) }, (): NewEvent => {
      count += 1;
      const data = { source: { id: source, source: "RSS", externalId: "e", username: "u", name: "n" } };
      const timestamp = new Date().toISOString();
      return { bodyId: `replayed-${count}`, type, timestamp, data, keyIds: [client.id] };
    });
    await log.append(made);
  }
}

const ask = (method: string, path: string, body?: object) =>
  magpie.request(method, path, { key: client.key, ...(body && { body }) });
/** An endpoint that comes after all that was appended. */
async function add(options: object = {}): Promise<string> {
  const url = "http://127.0.0.1:65000/never";
  const made = await ask("POST", "/webhooks", { url, enabled: false, ...options });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.json<{ data: { id: string } }>().data.id;
}
/** Status, how many it says, and how many wait then; of a refusal also its field and code. */
async function replay(id: string, choice: object) {
  const reply = await ask("POST", `/webhooks/${id}/replay`, choice);
  const { data, details } = reply.json<{ data?: { events: number }; details?: object[] }>();
  const shown = await ask("GET", `/webhooks/${id}`);
  const { waiting } = shown.json<{ data: { waiting: number } }>().data;
  return { status: reply.status, events: data?.events, waiting, ...(details && { details }) };
}
/** A time after everything until now, and before everything that comes. */
async function moment(): Promise<string> {
  const now = Date.now() + 1;
  await until("a millisecond has passed", () => Date.now() > now);
  return new Date(now).toISOString();
}
const ids = async () => {
  const { events } = await log.readWithin(client.id, 0, { events: 500, bytes: 10_000_000 });
  return events.map(({ id }) => id);
};
const refusal = (field: string, code: string) => ({
  status: 400,
  events: undefined,
  waiting: 0,
  details: [expect.objectContaining({ field, code })],
});

const since = "2026-01-01";
const types = { since, event_types: ["rss.item.created"] };

test("1,000 events are chosen; one more is refused, and then nothing waits", async () => {
  await append(1_000);
  await append(1, "web.page.changed");
  const id = await add();
  expect(await replay(id, types)).toEqual({ status: 200, events: 1_000, waiting: 1_000 });
  const other = await add();
  await append(1);
  await ask("PATCH", `/webhooks/${other}`, {});
  const refused = await replay(other, types);
  expect(refused).toEqual({ ...refusal("since", "too_many"), waiting: 1 });
});

test("only what the endpoint wants counts", async () => {
  await append(1_500, "rss.item.created", "loud");
  await append(2, "rss.item.created", "quiet");
  const id = await add({ sources: ["quiet"] });
  expect(await replay(id, types)).toEqual({ status: 200, events: 2, waiting: 2 });
});

test("20,000 events are read to choose from, and no more; a later beginning or the ids find them", async () => {
  await append(1, "web.page.changed");
  const later = await moment();
  await append(20_500);
  await append(1, "web.page.changed");
  const id = await add();
  const choice = { event_types: ["web.page.changed"] };
  expect(await replay(id, { since, ...choice })).toEqual(refusal("since", "too_many"));
  const until = new Date(Date.now() + 60_000).toISOString();
  expect(await replay(id, { since: later, until: later, ...choice })).toMatchObject({ events: 0 });
  expect(await replay(id, { since: later, until, ...choice })).toMatchObject({ status: 400 });
  const [first] = await ids();
  expect(await replay(id, { event_ids: [first] })).toEqual({ status: 200, events: 1, waiting: 1 });
});

test("since a time alone is everything, however much", async () => {
  await append(1_001);
  const id = await add();
  expect(await replay(id, { since })).toEqual({ status: 200, events: 1_001, waiting: 1_001 });
});

test("between two times is what came between them", async () => {
  await append(1);
  const first = await moment();
  await append(2);
  const second = await moment();
  await append(4);
  const end = await moment();
  const counts: unknown[] = [];
  for (const span of [
    { since: first, until: second },
    { since: first, until: first },
    { since: second, until: first },
    { since: first, until: end },
    { since, until: first },
  ])
    counts.push((await replay(await add(), span)).events);
  expect(counts).toEqual([2, 0, 0, 6, 1]);
  expect(
    await replay(await add(), { since: new Date(Date.now() + 60_000).toISOString(), until: end }),
  ).toEqual(refusal("since", "invalid_time"));
});

test("100 ids are taken, 101 are refused, and so is one twice", async () => {
  await append(101);
  const id = await add();
  const all = await ids();
  expect(await replay(id, { event_ids: all })).toEqual(refusal("event_ids", "array_max"));
  expect(await replay(id, { event_ids: [all[0], all[0]] })).toEqual(refusal("event_ids", "array_unique"));
  expect(await replay(id, { event_ids: all.slice(1) })).toEqual({ status: 200, events: 100, waiting: 100 });
  // What waits already does not wait twice.
  expect(await replay(id, { event_ids: all.slice(1) })).toEqual({ status: 200, events: 100, waiting: 100 });
});

test("each type that there is, once; ids of another type are not found", async () => {
  await append(1);
  await append(1, "web.page.changed");
  const id = await add();
  expect(await replay(id, { since, event_types: ["web.page.changed"] })).toMatchObject({ events: 1 });
  expect(await replay(id, { since, event_types: [] })).toMatchObject({ status: 400 });
  const twice = { since, event_types: ["web.page.changed", "web.page.changed"] };
  expect(await replay(id, twice)).toMatchObject({ status: 400 });
  const [item] = await ids();
  expect(await replay(id, { event_ids: [item], event_types: ["web.page.changed"] })).toMatchObject({
    status: 404,
  });
});
