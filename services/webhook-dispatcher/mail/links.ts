import { randomBytes } from "node:crypto";
import type { MailPurpose } from "../../contracts/mail-links.contract.ts";
import { seal, sealingKey, unseal } from "../../domain/key/seal.ts";
import type { StoredEndpoint } from "../webhooks.store.ts";

/** The endpoint that a link is about, with the address that it had then. */
export interface LinkTarget {
  laneId: string;
  webhookId: string;
  /** `mailto:…` */
  url: string;
  /** How often the owner had taken the consent back before. */
  withdrawals: number;
}

type Asked = Pick<StoredEndpoint, "_id" | "webhookId" | "url" | "withdrawals">;

/** The links in mails: each holds an encrypted token for one endpoint, one address and one purpose. */
export interface MailLinks {
  /** The origin of the links. */
  publicUrl: string;
  linkTo(purpose: MailPurpose, endpoint: Asked, now: number): string;
  /** Null for a token that was not made here, or is too old. */
  read(purpose: MailPurpose, token: string, now: number): LinkTarget | null;
}

/** Milliseconds for which an address may be confirmed. One may always unsubscribe. */
const confirmWithinMs = 7 * 24 * 3_600_000;

export function openMailLinks(masterSecret: string, publicUrl: string): MailLinks {
  const key = sealingKey(masterSecret, "webhook/mail/v1");
  return {
    publicUrl,
    linkTo: (purpose, { _id, webhookId, url, withdrawals = 0 }, now) => {
      const about = JSON.stringify([_id, webhookId, url, now, withdrawals]);
      const token = seal(key, about, [purpose], randomBytes(12));
      return `${publicUrl}/mail/${purpose}/${token}`;
    },
    read: (purpose, token, now) => {
      try {
        const [laneId, webhookId, url, madeAt, withdrawals = 0] = JSON.parse(unseal(key, token, [purpose]));
        const isOver = purpose === "confirm" && now > madeAt + confirmWithinMs;
        return isOver ? null : { laneId, webhookId, url, withdrawals };
      } catch {
        // What does not decrypt is no token of ours.
        return null;
      }
    },
  };
}
