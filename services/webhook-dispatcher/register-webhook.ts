import { randomUUID } from "node:crypto";
import { newLane, reactivate } from "../domain/delivery/lane.ts";
import { admitEndpoint } from "./admit-endpoint.ts";
import { type Described, describeWebhook } from "./describe-webhook.ts";
import type { Batch } from "./engine/journal.ts";
import type { StoredEndpoint, WebhookRoom } from "./room.ts";

interface Registered {
  isNew: boolean;
  webhook: Described & { secret: string };
  message: string;
}

interface Wanted {
  url: string;
  /** Null for none; undefined leaves it as it is. */
  name?: string | null;
}

/**
 * Registers the endpoint of a key, or overwrites it: identity, secret and what was kept for it stay. A new one begins
 * with the events that are yet to come.
 */
export async function registerWebhook(
  room: WebhookRoom,
  keyId: string,
  { url, name }: Wanted,
): Promise<Registered> {
  const wanted = { url: admitEndpoint(room, url), name };
  const { latest } = await room.log.bounds(keyId);
  const { endpoint, isNew } = await room.journal.write(keyId, batch => {
    const known = batch.endpoints.findById(keyId);
    return known
      ? { endpoint: overwrite(batch, known, wanted), isNew: false }
      : { endpoint: create(room, batch, keyId, wanted, latest), isNew: true };
  });
  room.dispatcher.changed(endpoint);
  const webhook = describeWebhook(endpoint, { status: "ACTIVE" });
  const message = isNew ? "Webhook registered." : "Webhook overwritten.";
  return { isNew, webhook: { ...webhook, secret: room.vault.reveal(endpoint) }, message };
}

function create(
  { vault }: WebhookRoom,
  batch: Batch,
  keyId: string,
  { url, name = null }: { url: string; name?: string | null },
  position: number,
): StoredEndpoint {
  const identity = { _id: keyId, webhookId: randomUUID() };
  const { sealed } = vault.issue(identity);
  const lane = newLane(position, Date.now());
  batch.setLane(keyId, lane);
  const { revision } = lane;
  return batch.endpoints.insert({
    ...identity,
    url,
    name,
    sealed,
    previousSealed: null,
    previousUntil: 0,
    revision,
  });
}

function overwrite(batch: Batch, known: StoredEndpoint, { url, name }: Wanted): StoredEndpoint {
  const lane = batch.lane(known._id);
  const active = lane && reactivate(lane);
  if (active) batch.setLane(known._id, active);
  const update = { $set: { url, name: name === undefined ? known.name : name, revision: active?.revision } };
  return batch.endpoints.updateById(known._id, update) ?? known;
}
