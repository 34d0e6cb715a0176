import type { MailLinkState, MailPurpose } from "../../contracts/mail-links.contract.ts";
import { disabled, type Lane, reactivate } from "../../domain/delivery/lane.ts";
import { addressOf } from "../../domain/delivery/mail/address.ts";
import type { WebhookContext } from "../context.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";
import type { LinkTarget } from "./links.ts";

interface Followed {
  purpose: MailPurpose;
  token: string;
}

/** What a link in a mail is about; null for one that leads nowhere, or nowhere any more. Changes nothing. */
export async function readMailLink(
  { mail, endpoints }: Pick<WebhookContext, "mail" | "endpoints">,
  { purpose, token }: Followed,
  now: number,
): Promise<MailLinkState | null> {
  const target = mail?.links.read(purpose, token, now);
  const endpoint = target && (await endpoints.findById(target.laneId));
  return endpoint && isOf(purpose, endpoint, target) ? stateOf(purpose, endpoint, target) : null;
}

/**
 * Applies a link to confirm or unsubscribe. Idempotent. Unsubscribing also withdraws consent, so a new confirmation is
 * needed before the next mail.
 */
export async function followMailLink(
  { mail, journal, dispatcher }: Pick<WebhookContext, "mail" | "journal" | "dispatcher">,
  { purpose, token }: Followed,
  now: number,
): Promise<MailLinkState | null> {
  const target = mail?.links.read(purpose, token, now);
  if (!target) return null;
  const endpoint = await journal.write(target.laneId, batch => {
    const known = batch.endpoints.findById(target.laneId);
    const lane = batch.lane(target.laneId);
    if (!known || !lane || !isOf(purpose, known, target)) return null;
    if (stateOf(purpose, known, target).done) return known;
    const next = purpose === "confirm" ? confirmed(lane) : unsubscribed(lane, known.url === target.url);
    batch.setLane(target.laneId, next);
    const { withdrawals = 0 } = known;
    const consent =
      purpose === "confirm" ? { confirmed: known.url } : { confirmed: null, withdrawals: withdrawals + 1 };
    const changes = { ...consent, revision: next.revision };
    return batch.endpoints.updateById(target.laneId, { $set: changes });
  });
  if (!endpoint) return null;
  dispatcher.changed(endpoint);
  return stateOf(purpose, endpoint, target);
}

/** An endpoint that its owner has disabled stays so. */
function confirmed(lane: Lane): Lane {
  return lane.status === "UNCONFIRMED" ? reactivate(lane) : { ...lane, revision: lane.revision + 1 };
}

/** A lane that now goes to another address continues; the consent of the former address is withdrawn all the same. */
function unsubscribed(lane: Lane, goesThere: boolean): Lane {
  return goesThere ? disabled(lane) : lane;
}

/** A link to confirm is for the address that is there; one may unsubscribe an address that the endpoint had before. */
function isOf(
  purpose: MailPurpose,
  { webhookId, url, withdrawals = 0 }: StoredEndpoint,
  target: LinkTarget,
): boolean {
  if (webhookId !== target.webhookId) return false;
  return purpose === "unsubscribe" || (url === target.url && withdrawals === target.withdrawals);
}

function stateOf(purpose: MailPurpose, { confirmed }: StoredEndpoint, { url }: LinkTarget): MailLinkState {
  return { address: addressOf(url), done: (purpose === "confirm") === (confirmed === url) };
}
