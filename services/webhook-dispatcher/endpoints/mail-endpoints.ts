import { fail } from "../../contracts/errors.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import { awaitsConfirmation, mailUrl, readMailUrl } from "../../domain/delivery/mail/address.ts";
import { present } from "../../domain/json/fields.ts";
import type { WebhookContext } from "../context.ts";
import { checkedFields, refuseMisfit, type Wanted, wantedFields } from "./endpoint-fields.ts";

/** The normalised `mailto:` URL of an endpoint. Throws errors that name `url`. */
export function admitMailUrl({ mail }: Pick<WebhookContext, "mail">, text: string): string {
  const read = readMailUrl(text);
  if ("problem" in read) throw refusal("invalid_url", `\`url\` ${read.problem}.`);
  if (!mail)
    throw refusal(
      "mail_unavailable",
      "This installation sends no mail: its operator has to set SMTP_URL, SMTP_FROM and PUBLIC_URL.",
    );
  return mailUrl(read.address);
}

function refusal(code: "invalid_url" | "mail_unavailable", message: string): Error {
  const ofField = code === "invalid_url" ? code : "not_configured";
  return fail(code, message, { details: [{ field: "url", code: ofField, message }] });
}

type Asking = Pick<WebhookContext, "endpoints" | "lanes" | "confirmations" | "vault">;

/** Counts a question for a new endpoint, unless it is refused anyway: a refused request uses up nothing. Throws 400 and 429. */
export async function admitQuestion(
  { confirmations, vault }: Pick<Asking, "confirmations" | "vault">,
  keyId: string,
  wanted: Wanted & { url: string },
): Promise<void> {
  checkedFields(vault, "", wanted);
  await confirmations?.admit(keyId, wanted.url);
}

/**
 * Whether a change asks the owner of an address: another address, or one that waits and is to be enabled. Throws 429 when
 * it was asked too often, and 400 for what does not fit an address of mail.
 */
export async function mustAsk(
  { endpoints, lanes, confirmations, vault }: Asking,
  laneId: string,
  { url, ...wanted }: Wanted,
): Promise<boolean> {
  const { enabled } = wanted;
  if (enabled === false || (!enabled && url === undefined)) return false;
  const known = await endpoints.findById(laneId);
  if (!known) return false;
  const address = { url: url ?? known.url, confirmed: known.confirmed ?? null };
  const isNew = address.url !== known.url;
  if (!awaitsConfirmation(address) || (!isNew && !enabled)) return false;
  // A disabled endpoint stays so: nobody is asked yet.
  if (!enabled && (await lanes.findById(laneId))?.status === "DISABLED") return false;
  const fields = present(wantedFields(vault, known.webhookId, wanted));
  refuseMisfit({ ...known, ...fields, url: address.url }, wanted);
  await confirmations?.admit(keyOf(laneId), address.url);
  return true;
}
