import type { Store } from "../../mixins/store/store.ts";
import { shardOf } from "../domain/delivery/shard.ts";
import type { StoredEndpoint, StoredLane } from "./room.ts";

const pageSize = 200;

/** Gives a shard to lanes that were stored before there were any; without one nobody works them. */
export async function dealOutLanes(
  endpoints: Store<StoredEndpoint>,
  lanes: Store<StoredLane>,
): Promise<void> {
  for (;;) {
    const page = await lanes.find({ query: { shard: null }, limit: pageSize });
    for (const { _id } of page) {
      await endpoints.update(_id, { $set: { revision: 0 } });
      await lanes.update(_id, { $set: { revision: 0, shard: shardOf(_id) } });
    }
    if (page.length < pageSize) return;
  }
}
