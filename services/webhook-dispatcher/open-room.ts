import type { Config } from "../../mixins/config/config.ts";
import type { WithEgress } from "../../mixins/egress/egress.mixin.ts";
import type { WithLog } from "../../mixins/log/log.mixin.ts";
import type { WithStore } from "../../mixins/store/store.mixin.ts";
import { Dispatcher } from "./engine/dispatcher.ts";
import { Journal } from "./engine/journal.ts";
import type { DispatcherOptions } from "./engine/lane-worker.ts";
import { sweep } from "./engine/sweep.ts";
import {
  deliveriesCollection,
  lanesCollection,
  type StoredDelivery,
  type StoredEndpoint,
  type StoredLane,
  type WebhookRoom,
} from "./room.ts";
import { openVault } from "./vault.ts";

type Capabilities = WithStore<StoredEndpoint> &
  Pick<WithEgress, "egress"> &
  WithLog & { logger: DispatcherOptions["logger"] };

/** Opens the room and lets the deliveries begin. */
export function openRoom(
  { store, egress, log, logger }: Capabilities,
  masterSecret: string,
  { allowHttp, backoffMs }: Config["webhooks"],
): WebhookRoom {
  const journal = new Journal(store);
  const vault = openVault(masterSecret);
  const agent = egress.agent();
  const dispatcher = new Dispatcher({ journal, log, agent, vault, schedule: backoffMs, logger });
  const lanes = store.collection<StoredLane>(lanesCollection);
  const deliveries = store.collection<StoredDelivery>(deliveriesCollection);
  const wake = (keyIds: readonly string[]) => dispatcher.wake(keyIds);
  const deaf = log.onAppended(wake);
  const ending = new AbortController();
  const onError = (error: unknown) => logger.error("webhook.sweep.failed", { error });
  const sweeping = sweep({ lanes, deliveries, log, wake, signal: ending.signal, onError });
  const close = async () => {
    deaf();
    ending.abort();
    await sweeping;
    await dispatcher.stop();
  };
  return { endpoints: store, lanes, deliveries, journal, dispatcher, log, egress, vault, allowHttp, close };
}
