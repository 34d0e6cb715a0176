import { within } from "../../../../mixins/deadline/within.ts";
import type { MicroblogAuthor } from "../../../contracts/social.ts";
import type { Ask } from "./api.ts";
import { toAuthor } from "./map-profile.ts";

/** Names of those whose posts come in live; the live connection tells their DIDs only. */
export interface Authors {
  /** Throws soon what cannot be told soon: everything that is heard waits for it. */
  get(did: string, signal: AbortSignal): Promise<MicroblogAuthor>;
  /** The account has changed its handle or profile. */
  forget(did: string): void;
}

const maxKnown = 10_000;
/** Milliseconds. */
const patienceMs = 2000;
/** After a failure nobody is asked for before. */
const restMs = 30_000;

export function rememberAuthors(ask: Ask, now: () => number): Authors {
  const known = new Map<string, MicroblogAuthor>();
  let notBefore = 0;
  const find = async (did: string, signal: AbortSignal) => {
    if (now() < notBefore) throw new Error("Names were asked for in vain a moment ago.");
    try {
      return await within(patienceMs, signal, inTime =>
        ask(inTime, (agent, options) => agent.getProfile({ actor: did }, options)),
      );
    } catch (error) {
      notBefore = now() + restMs;
      throw error;
    }
  };
  return {
    async get(did, signal) {
      const author = known.get(did) ?? toAuthor(await find(did, signal));
      if (known.size >= maxKnown) known.clear();
      known.set(did, author);
      return author;
    },
    forget: did => void known.delete(did),
  };
}
