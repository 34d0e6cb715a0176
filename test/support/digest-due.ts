import type { ServiceBroker } from "moleculer";
import { keyOf, type Lane } from "../../services/domain/delivery/lane.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";

interface Dispatching {
  context: Pick<WebhookContext, "lanes" | "journal" | "dispatcher">;
}

/** The lane of an endpoint as it is stored. */
export async function storedLane(broker: ServiceBroker, laneId: string): Promise<Lane | null> {
  return (await contextOf(broker).lanes.findById(laneId)) as Lane | null;
}

/** Sets the time of the next digest of a lane to now: a test cannot wait for 15 minutes. */
export async function makeDigestDue(broker: ServiceBroker, laneId: string): Promise<void> {
  const { journal, dispatcher } = contextOf(broker);
  await journal.write(laneId, batch => {
    const lane = batch.lane(laneId);
    if (lane?.digest) batch.setLane(laneId, { ...lane, digest: { ...lane.digest, dueAt: Date.now() } });
  });
  dispatcher.wake([keyOf(laneId)]);
}

function contextOf(broker: ServiceBroker): Dispatching["context"] {
  return (broker.getLocalService("webhook-dispatcher") as unknown as Dispatching).context;
}
