import type { MicroblogAuthor } from "../../../contracts/social.ts";
import type { Ask } from "./api.ts";
import { toAuthor } from "./map-profile.ts";

/** Names of those whose posts come in live; the live connection tells their DIDs only. */
export interface Authors {
  get(did: string, signal: AbortSignal): Promise<MicroblogAuthor>;
  /** The account has changed its handle or profile. */
  forget(did: string): void;
}

const maxKnown = 10_000;

export function rememberAuthors(ask: Ask): Authors {
  const known = new Map<string, MicroblogAuthor>();
  return {
    async get(did, signal) {
      const author =
        known.get(did) ??
        toAuthor(await ask(signal, (agent, options) => agent.getProfile({ actor: did }, options)));
      if (known.size >= maxKnown) known.clear();
      known.set(did, author);
      return author;
    },
    forget: did => void known.delete(did),
  };
}
