import { directoryType, keyDirectory } from "../../../mixins/egress/bot-identity.ts";
import { fail } from "../../contracts/errors.ts";
import type { OwnAnswer } from "../routes/route.ts";

/** How long a verifier may keep the keys, in seconds: so long it goes on believing in one that was taken out. */
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
