import type { Config } from "../../mixins/config/config.ts";
import type { WithEgress } from "../../mixins/egress/egress.mixin.ts";
import type { WithLeases } from "../../mixins/lease/lease.mixin.ts";
import type { EventLog } from "../../mixins/log/log.ts";
import type { WithStore } from "../../mixins/store/store.mixin.ts";
import { laneShards } from "../domain/delivery/shard.ts";
import { dealOutLanes } from "./deal-out-lanes.ts";
import { Dispatcher } from "./engine/dispatcher.ts";
import { Journal } from "./engine/journal.ts";
import type { DispatcherOptions } from "./engine/lane-worker.ts";
import { Sweeper } from "./engine/sweeper.ts";
import {
  deliveriesCollection,
  lanesCollection,
  type StoredDelivery,
  type StoredEndpoint,
  type StoredLane,
  type WebhookRoom,
} from "./room.ts";
import { openVault } from "./vault.ts";

interface Capabilities extends WithStore<StoredEndpoint> {
  egress: Pick<WithEgress["egress"], "admit" | "agent">;
  log: EventLog;
  leases: Pick<WithLeases["leases"], "share">;
  logger: DispatcherOptions["logger"];
}

/** Opens the room and lets the deliveries begin; `tellOthers` hints to other nodes that the lane of a key was changed. */
export async function openRoom(
  { store, egress, log, leases, logger }: Capabilities,
  masterSecret: string,
  { allowHttp, backoffMs }: Config["webhooks"],
  tellOthers: (keyId: string) => void,
): Promise<WebhookRoom> {
  const journal = new Journal(store, logger);
  const vault = openVault(masterSecret);
  const agent = egress.agent();
  const dispatcher = new Dispatcher({ journal, log, agent, vault, schedule: backoffMs, tellOthers, logger });
  const lanes = store.collection<StoredLane>(lanesCollection);
  const deliveries = store.collection<StoredDelivery>(deliveriesCollection);
  const wake = (keyIds: readonly string[]) => dispatcher.wake(keyIds);
  const sweeper = new Sweeper({
    lanes,
    deliveries,
    log,
    wake,
    shards: () => dispatcher.shards,
    reread: () => store.isShared && dispatcher.reread(dispatcher.busy),
    onError: error => logger.error("webhook.sweep.failed", { error }),
  });
  await dealOutLanes(store, lanes);
  const deaf = log.onAppended(wake);
  const share = await leases.share("lanes", laneShards, {
    gained: (shard, lease) => {
      dispatcher.gain(shard, lease);
      sweeper.look(shard);
    },
    lost: shard => dispatcher.lose(shard),
  });
  const close = async () => {
    deaf();
    await sweeper.close();
    await dispatcher.stop();
    await share.close();
  };
  return { endpoints: store, lanes, deliveries, journal, dispatcher, log, egress, vault, allowHttp, close };
}
