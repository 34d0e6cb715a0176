import { decodeTime, encodeTime } from "ulid";
import type { Store } from "../../mixins/store/store.ts";
import {
  findDelivery,
  listAllDeliveries,
  listDeliveries,
  listEndpointDeliveries,
} from "../../services/webhook-dispatcher/endpoints/deliveries.ts";
import { listAlone, removeAttempts } from "../../services/webhook-dispatcher/journal/attempt-list.ts";
import { rowsOf } from "../../services/webhook-dispatcher/journal/attempt-rows.ts";
import {
  type Attempted,
  attemptAt,
  deliveriesCollection,
  type StoredAttempts,
  type StoredEndpoint,
  storeOptions,
} from "../../services/webhook-dispatcher/webhooks.store.ts";
import type { StoreDriver } from "./store.suite.ts";

type Outcome = Attempted["outcome"];

const began = Date.now() + 1_000;
const endpoint = (_id: string, webhookId: string, keyId?: string) =>
  ({
    _id,
    webhookId,
    addedAt: 0,
    revision: 0,
    url: `https://${webhookId}.example/`,
    ...(keyId && { keyId }),
  }) as StoredEndpoint;
const endpoints = [endpoint("k1", "w1"), endpoint("k1:1", "w2", "k1"), endpoint("k2", "w3")];
const keys = ["k1", "k2"];
const outcomes: Outcome[] = ["succeeded", "failed", "dead"];

/** Events come a few at a moment, and some are a day old. */
const eventId = (keyId: string, n: number) =>
  `evt_${encodeTime(began - (n % 7 === 0 ? 86_400_000 : 0) + Math.floor(n / 3) * 400, 10)}${`${keyId}0${n}`.toUpperCase().padStart(16, "0")}`;

/** One in five fails at first, and one of those is dead after its second attempt. */
function outcomeOf(n: number, attempt: number): Outcome {
  if (n % 5 !== 0) return "succeeded";
  return attempt === 1 ? "failed" : n % 10 === 0 ? "dead" : "succeeded";
}

const made = ({ _id, webhookId, keyId, url }: StoredEndpoint, n: number, attempt: number): Attempted => {
  const outcome = outcomeOf(n, attempt);
  const isTaken = outcome === "succeeded";
  return {
    keyId: keyId ?? _id,
    ...attemptAt({ keyId, webhookId }),
    event_id: eventId(keyId ?? _id, n),
    type: n % 11 === 0 ? "webhook.test" : "rss.item.created",
    seq: n,
    url,
    attempt,
    outcome,
    http_status: isTaken ? 200 : 500,
    error: isTaken ? null : "status_500",
    duration_ms: n,
    answer: n % 4 === 0 ? `receipt ${n}` : "ok",
    startedAt: began + n,
  };
};

/** The writes of each lane: of events that are new, and of those that failed in the write before; how many differs. */
const writes: { at: number; attempts: Attempted[] }[] = [];
for (let [from, at] = [1, began]; from < 150; at += 5)
  for (const size of [1, 16, 5, 30]) {
    const events = Array.from({ length: size }, (_, n) => from + n);
    const again = events.filter(n => outcomeOf(n, 1) === "failed");
    for (const each of endpoints) {
      writes.push({ at, attempts: events.map(n => made(each, n, 1)) });
      if (again.length > 0) writes.push({ at: at + 2, attempts: again.map(n => made(each, n, 2)) });
    }
    from += size;
  }
const { seq: _, webhookId: _none, ...notice } = made(endpoint("k1", "w1"), 1_000, 1);

/** What the list of attempts is on every driver of the store: rows hold several, and no list shows it. */
export function attemptsSuite(name: string, makeDriver: () => StoreDriver): void {
  describe(`the list of attempts: ${name}`, () => {
    const driver = makeDriver();
    let deliveries: Store<StoredAttempts>;
    let context: { deliveries: Store<StoredAttempts>; endpoints: Store<StoredEndpoint> };

    beforeAll(async () => {
      const { collection, indexes = [], extraCollections = {} } = storeOptions;
      const main = (await driver.open(
        collection,
        indexes,
        extraCollections,
      )) as unknown as Store<StoredEndpoint>;
      await main.insertMany(endpoints);
      deliveries = main.collection(deliveriesCollection);
      context = { deliveries, endpoints: main };
      for (const { at, attempts } of writes) await deliveries.insertMany(rowsOf(attempts, at));
      await listAlone(deliveries, notice);
    });
    afterAll(() => driver.close());

    type Page = { limit: number; cursor?: string };
    type Listed = Awaited<ReturnType<typeof listAllDeliveries>>["data"][number];

    /** All pages of a list, so many attempts at a time. */
    async function pages<Row>(
      read: (page: Page) => Promise<{ data: Row[]; next_cursor: string | null }>,
      limit: number,
    ): Promise<Row[]> {
      const rows: Row[] = [];
      for (let cursor: string | null = ""; cursor !== null; ) {
        const page = await read({ limit, ...(cursor && { cursor }) });
        expect(page.data.length).toBeLessThanOrEqual(limit);
        rows.push(...page.data);
        cursor = page.next_cursor;
      }
      return rows;
    }
    const everything = () => pages(page => listAllDeliveries(context, page), 7);
    const of = (keyId: string, rows: Listed[]) =>
      rows.filter(({ key_id }) => key_id === keyId).map(({ key_id: _, ...row }) => row);

    test("rows hold many attempts, and the list has each of them once, the newest first", async () => {
      const rows = await deliveries.find();
      const all = writes.flatMap(({ attempts }) => attempts);
      expect(rows.length).toBeLessThan(all.length / 2);
      const listed = await everything();
      const ids = listed.map(({ id }) => id);
      expect(ids).toEqual([...new Set(ids)].sort().reverse());
      const facts = ({ seq, startedAt, keyId, webhookId, endpoint: at, ...attempt }: Attempted) =>
        JSON.stringify([
          keyId,
          at ?? webhookId ?? null,
          seq ?? null,
          attempt.event_id,
          attempt.attempt,
          attempt.outcome,
          attempt.answer,
          attempt.type,
          attempt.http_status,
          attempt.error,
          attempt.duration_ms,
          attempt.url,
          new Date(startedAt).toISOString(),
        ]);
      const shown = (each: Listed) =>
        JSON.stringify([
          each.key_id,
          each.webhook_id,
          each.seq,
          each.event_id,
          each.attempt,
          each.outcome,
          each.answer,
          each.type,
          each.http_status,
          each.error,
          each.duration_ms,
          each.url,
          each.at,
        ]);
      expect(listed.map(shown).sort()).toEqual([...all, notice].map(facts).sort());
    });

    test("attempts of one write share the time of their ids, so that the retention never cuts within a row", async () => {
      const times = (await everything()).map(({ id }) => decodeTime(id));
      expect(new Set(times).size).toBeLessThanOrEqual(new Set(writes.map(({ at }) => at)).size + 1);
    });

    test.each([1, 3, 16, 100])("of a key by outcome, %d at a time", async limit => {
      const all = await everything();
      for (const keyId of keys)
        for (const status of [undefined, ...outcomes]) {
          const wanted = of(keyId, all).filter(each => status === undefined || each.outcome === status);
          const choice = status && { status };
          expect(wanted.length).toBeGreaterThan(0);
          expect(await pages(page => listDeliveries(context, keyId, { ...page, ...choice }), limit)).toEqual(
            wanted,
          );
          const ofAll = await pages(
            page => listAllDeliveries(context, { ...page, ...choice, key_id: keyId }),
            limit,
          );
          expect(ofAll).toEqual(wanted.map(each => ({ ...each, key_id: keyId })));
        }
    });

    test.each(outcomes)("of all keys that have %s", async status => {
      const wanted = (await everything()).filter(({ outcome }) => outcome === status);
      expect(await pages(page => listAllDeliveries(context, { ...page, status }), 5)).toEqual(wanted);
    });

    test("of each endpoint by outcome", async () => {
      const all = await everything();
      for (const { _id, webhookId: id, keyId = _id } of endpoints)
        for (const status of [undefined, ...outcomes]) {
          const wanted = of(keyId, all).filter(
            each => each.webhook_id === id && (status === undefined || each.outcome === status),
          );
          const choice = { id, ...(status && { status }) };
          expect(wanted.length).toBeGreaterThan(0);
          expect(
            await pages(page => listEndpointDeliveries(context, keyId, { ...page, ...choice }), 4),
          ).toEqual(wanted);
        }
    });

    test("of an event, to one endpoint or to all of its key", async () => {
      const all = await everything();
      for (const n of [1, 3, 4, 7, 10, 25, 77, 140]) {
        const event_id = eventId("k1", n);
        const wanted = of("k1", all).filter(each => each.event_id === event_id);
        expect(wanted.length).toBe(outcomeOf(n, 1) === "failed" ? 4 : 2);
        expect(await pages(page => listDeliveries(context, "k1", { ...page, event_id }), 1)).toEqual(wanted);
        const toOne = await listEndpointDeliveries(context, "k1", { id: "w2", event_id, limit: 9 });
        expect(toOne.data).toEqual(wanted.filter(each => each.webhook_id === "w2"));
        expect((await listDeliveries(context, "k2", { event_id, limit: 9 })).data).toEqual([]);
      }
    });

    test("an attempt is found by its id, by its key alone", async () => {
      for (const { id, key_id, event_id, attempt } of await everything()) {
        expect(await findDelivery(deliveries, key_id, id)).toMatchObject({ _id: id, event_id, attempt });
        const other = keys.find(each => each !== key_id) ?? "";
        await expect(findDelivery(deliveries, other, id)).rejects.toMatchObject({ type: "not_found" });
      }
      const [{ id: newest = "" } = {}] = await everything();
      const near = [
        "",
        "zzz",
        newest.slice(0, 25),
        `${newest}0`,
        `${newest.slice(0, 21)}ZZZZZ`,
        newest.toLowerCase(),
      ];
      for (const id of near)
        await expect(findDelivery(deliveries, "k1", id)).rejects.toMatchObject({ type: "not_found" });
    });

    test("what is older than a time goes, then all of a key", async () => {
      const all = await everything();
      const cut = encodeTime(decodeTime(all[Math.floor(all.length / 2)]?.id ?? ""), 10);
      await removeAttempts(deliveries, { _id: { $lt: cut } });
      const kept = all.filter(({ id }) => id >= cut);
      expect(kept.length).toBeLessThan(all.length);
      expect(await everything()).toEqual(kept);
      await removeAttempts(deliveries, { keyId: "k1" });
      expect(await everything()).toEqual(kept.filter(({ key_id }) => key_id !== "k1"));
    });
  });
}
