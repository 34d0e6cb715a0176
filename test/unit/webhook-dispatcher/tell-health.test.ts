import type { Store } from "../../../mixins/store/store.ts";
import { newLane } from "../../../services/domain/delivery/lane.ts";
import { LaneWrites } from "../../../services/webhook-dispatcher/journal/lane-writes.ts";
import { tellHealth } from "../../../services/webhook-dispatcher/lanes/tell-health.ts";
import {
  lanesCollection,
  type StoredEndpoint,
  type StoredLane,
} from "../../../services/webhook-dispatcher/webhooks.store.ts";
import { MemoryLog } from "../../fakes/memory-log.ts";
import { openEndpointStore } from "../../support/endpoint-store.ts";
import { Life } from "../../support/mortal.ts";
import { endpoint } from "./one-lane.ts";

const signal = new AbortController().signal;

function tellingOf(store: Store<StoredEndpoint>, log: MemoryLog) {
  const writes = new LaneWrites(store);
  const changed: string[] = [];
  return {
    changed: ({ _id }: StoredEndpoint) => void changed.push(_id),
    lanes: store.collection<StoredLane>(lanesCollection),
    endpoints: store,
    journal: {
      write: async <Result>(id: string, steps: Parameters<typeof writes.writeBoth<Result>>[1]) =>
        (await writes.writeBoth(id, steps, "loss of power")).results,
    },
    log,
  };
}

test("wherever the process dies while it tells, each change is one event in the end", async () => {
  for (let last = 0, isWhole = false; !isWhole; last += 1) {
    const { store, close } = await openEndpointStore();
    const log = new MemoryLog();
    const untold = [{ state: "failed" as const, at: 7, since: 5, status: 410, error: "status_410" }];
    await new LaneWrites(store).writeBoth(
      endpoint._id,
      batch => {
        batch.setLane(endpoint._id, { ...newLane(0), status: "FAILED", told: "failed", untold });
        batch.endpoints.insert({ ...endpoint, url: "https://shop.example/secret-path" });
      },
      "loss of power",
    );
    const life = new Life(last);
    await tellHealth(tellingOf(life.with(store), log), signal).catch(error =>
      expect(String(error)).toContain("dead"),
    );
    isWhole = !life.isOver;
    await tellHealth(tellingOf(store, log), signal);
    const events = await log.read(endpoint._id, 0, 10);
    expect(events).toMatchObject([
      { type: "endpoint.failed", data: { endpoint: { id: endpoint.webhookId, host: "shop.example" } } },
    ]);
    expect(JSON.stringify(events)).not.toContain("secret-path");
    const lanes = await store.collection<StoredLane>(lanesCollection).find({ query: { hasUntold: true } });
    expect(lanes).toEqual([]);
    await close();
  }
});
