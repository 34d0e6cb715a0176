import { fail, invalid } from "../contracts/errors.ts";
import { reactivate } from "../domain/delivery/lane.ts";
import { admitEndpoint } from "./admit-endpoint.ts";
import { type Described, describeWebhook } from "./describe-webhook.ts";
import type { ReplacedSecret, StoredEndpoint, WebhookRoom } from "./room.ts";
import { replacedSecrets } from "./vault.ts";

/** How long a secret signs after it was replaced. */
const overlapMs = 24 * 3_600_000;
const mostOlder = 8;

/** The schema lets null pass where a field may be left out; for a name it means none. */
interface Wanted {
  url?: string | null;
  name?: string | null;
  rotate_secret?: boolean | null;
}

/** Changes what is named and sets the endpoint active; what was kept is delivered first. */
export async function changeWebhook(
  room: WebhookRoom,
  keyId: string,
  wanted: Wanted,
  now: number,
): Promise<{ webhook: Described & { secret?: string }; message: string }> {
  if (wanted.url === null)
    throw invalid("url", "string", "Give a URL as `url`, or leave it out; DELETE removes the webhook.");
  const url = wanted.url === undefined ? undefined : admitEndpoint(room, wanted.url);
  const endpoint = await room.journal.write(keyId, batch => {
    const known = batch.endpoints.findById(keyId);
    const lane = batch.lane(keyId);
    if (!known || !lane) return null;
    const active = reactivate(lane);
    batch.setLane(keyId, active);
    const rotated = wanted.rotate_secret ? rotation(room, known, now) : {};
    const { revision } = active;
    return batch.endpoints.updateById(keyId, { $set: { url, name: wanted.name, revision, ...rotated } });
  });
  if (!endpoint) throw noWebhook();
  room.dispatcher.changed(endpoint);
  const webhook = describeWebhook(endpoint, { status: "ACTIVE" });
  const secret = wanted.rotate_secret ? { secret: room.vault.reveal(endpoint) } : {};
  return { webhook: { ...webhook, ...secret }, message: "Webhook changed; it is active." };
}

export function noWebhook(): Error {
  return fail("not_found", "No webhook is registered for this key. Register one with POST /webhook.");
}

function rotation({ vault }: WebhookRoom, endpoint: StoredEndpoint, now: number) {
  const { sealed } = vault.issue(endpoint);
  const older = bounded(replacedSecrets(endpoint, now));
  return { sealed, previousSealed: endpoint.sealed, previousUntil: now + overlapMs, older };
}

/** The oldest stays: where the answers to rotations were lost, it is the one that the receiver knows. */
function bounded(secrets: ReplacedSecret[]): ReplacedSecret[] {
  return secrets.length > mostOlder ? secrets.toSpliced(-2, 1) : secrets;
}
