import { directoryType, keyDirectory } from "../../../mixins/egress/bot-identity.ts";
import { fail } from "../../contracts/errors.ts";
import type { OwnAnswer } from "../routes/route.ts";

/** Seconds that a verifier may keep the keys. It trusts a key that was taken out for so long. */
const maxAge = 3600;

/** The public keys of BOT_IDENTITY, where sites that check signatures look for them. */
export const botDirectory: OwnAnswer = {
  kind: "own",
  params: { $$strict: true },
  answer({ botIdentity }) {
    if (!botIdentity)
      throw fail("not_found", "This installation signs no requests: BOT_IDENTITY is not set.");
    const { body, headers } = keyDirectory(botIdentity);
    return {
      type: directoryType,
      headers: { ...headers, "cache-control": `public, max-age=${maxAge}` },
      body,
    };
  },
};
