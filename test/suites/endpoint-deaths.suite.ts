import { randomUUID } from "node:crypto";
import type { Store } from "../../mixins/store/store.ts";
import { disabled, newLane, reactivate } from "../../services/domain/delivery/lane.ts";
import { type Batch, LaneWrites } from "../../services/webhook-dispatcher/journal/lane-writes.ts";
import {
  lanesCollection,
  type StoredEndpoint,
  type StoredLane,
} from "../../services/webhook-dispatcher/webhooks.store.ts";
import { Life } from "../support/mortal.ts";
import { endpoint } from "../unit/webhook-dispatcher/one-lane.ts";

/** An empty store for endpoints. */
export interface EndpointStore {
  store: Store<StoredEndpoint>;
  close(): Promise<void>;
}

const id = endpoint._id;

function create(batch: Batch, url = "https://one.example/") {
  if (batch.endpoints.findById(id)) return;
  batch.setLane(id, newLane(7, 1));
  batch.endpoints.insert({ ...endpoint, webhookId: randomUUID(), url, revision: 1 });
}

function change(batch: Batch) {
  const lane = batch.lane(id);
  if (!lane) return;
  const next = disabled(lane);
  batch.setLane(id, next);
  batch.endpoints.updateById(id, { $set: { url: "https://two.example/", revision: next.revision } });
}

function remove(batch: Batch) {
  batch.setLane(id, null);
  batch.endpoints.removeById(id);
}

/** What a change makes of an endpoint, and what is there before and after it: its URL, and the state of its lane. */
const changes: [string, ((batch: Batch) => void)[], (batch: Batch) => void, string, string][] = [
  ["is created", [], create, "nothing", "https://one.example/ ACTIVE 7"],
  ["is changed", [create], change, "https://one.example/ ACTIVE 7", "https://two.example/ DISABLED 7"],
  ["is removed", [create], remove, "https://one.example/ ACTIVE 7", "nothing"],
  ["is created again", [create, remove], create, "nothing", "https://one.example/ ACTIVE 7"],
];

/** An endpoint and its lane change together, wherever the process dies. */
export function endpointDeathsSuite(name: string, open: () => Promise<EndpointStore>): void {
  describe(`a process dies while an endpoint: ${name}`, () => {
    test.each(changes)("%s", async (_, before, step, was, becomes) => {
      const seen = new Set<string>();
      for (let last = 0, isWhole = false; !isWhole; last += 1) {
        const { store, close } = await open();
        const alive = new LaneWrites(store);
        for (const earlier of before) await alive.writeBoth(id, earlier, "loss of power");
        const life = new Life(last);
        const dying = new LaneWrites(life.with(store)).writeBoth(id, step, "loss of power");
        await dying.catch(error => expect(String(error)).toContain("dead"));
        isWhole = !life.isOver;
        await alive.finishOpen();
        const found = await whatIsThere(store);
        seen.add(found);
        expect([was, becomes]).toContain(found);
        if (isWhole) expect(found).toBe(becomes);
        await alive.writeBoth(id, step, "loss of power");
        expect(await whatIsThere(store)).toBe(becomes);
        await close();
      }
      expect([...seen].sort()).toEqual([was, becomes].sort());
    });

    test.each(changes)("%s, and the process only slept", async (_, before, step, was, becomes) => {
      for (let last = 0, isAsleep = true; isAsleep; last += 1)
        for (const meanwhile of [undefined, remove, create, change]) {
          const { store, close } = await open();
          const alive = new LaneWrites(store);
          for (const earlier of before) await alive.writeBoth(id, earlier, "loss of power");
          const life = new Life(last, "sleep");
          const writing = new LaneWrites(life.with(store)).writeBoth(id, step, "loss of power");
          isAsleep = await Promise.race([writing.then(() => false), life.asleep.then(() => true)]);
          await alive.finishOpen();
          if (meanwhile) await alive.writeBoth(id, meanwhile, "loss of power");
          life.wake();
          await writing;
          const found = await whatIsThere(store);
          expect({ last, meanwhile: meanwhile?.name, found }).toEqual({
            last,
            meanwhile: meanwhile?.name,
            found: expect.stringMatching(
              meanwhile
                ? /^(nothing|https:..(one|two).example. (ACTIVE|DISABLED) 7)$/
                : new RegExp(`^(${was}|${becomes})$`),
            ),
          });
          await alive.writeBoth(id, remove, "loss of power");
          expect(await whatIsThere(store)).toBe("nothing");
          await alive.writeBoth(id, create, "loss of power");
          expect(await whatIsThere(store)).toBe("https://one.example/ ACTIVE 7");
          await close();
        }
    });

    test("is changed from several sides: outcomes and changes all count, and the last writer finishes", async () => {
      const { store, close } = await open();
      const [one, other] = [new LaneWrites(store), new LaneWrites(store)];
      await one.writeBoth(id, create, "loss of power");
      const rounds = Array.from({ length: 12 }, (_, n) => n);
      await Promise.all(
        rounds.flatMap(n => [
          (n % 2 ? one : other).writeBoth(
            id,
            batch => {
              const lane = batch.lane(id);
              const known = batch.endpoints.findById(id);
              if (!lane || !known) throw new Error("It is gone");
              const next = reactivate(lane);
              batch.setLane(id, next);
              const name = `${known.name ?? ""}+`;
              batch.endpoints.updateById(id, { $set: { name, revision: next.revision } });
            },
            "loss of power",
          ),
          (n % 2 ? other : one).writeLane(
            id,
            batch => {
              const lane = batch.lane(id);
              if (lane) batch.setLane(id, { ...lane, missEpoch: lane.missEpoch + 1 });
            },
            "end of process",
          ),
        ]),
      );
      const lane = await store.collection<StoredLane>(lanesCollection).findById(id);
      const known = await store.findById(id);
      expect([lane?.missEpoch, lane?.revision, lane?.isOpen, lane?.next]).toEqual([
        12,
        13,
        undefined,
        undefined,
      ]);
      expect([known?.revision, known?.name?.replace(endpoint.name ?? "", "")]).toEqual([13, "+".repeat(12)]);
      await close();
    });
  });
}

async function whatIsThere(store: Store<StoredEndpoint>): Promise<string> {
  const lane = await store.collection<StoredLane>(lanesCollection).findById(id);
  const known = await store.findById(id);
  if (!lane && !known) return "nothing";
  const doubts = [
    ...(lane ? [] : ["no lane"]),
    ...(known ? [] : ["no endpoint"]),
    ...(lane?.isOpen || lane?.next ? ["still open"] : []),
    ...(lane?.revision === known?.revision ? [] : ["other revisions"]),
  ];
  return [known?.url, lane?.status, lane?.position, ...doubts].join(" ");
}
