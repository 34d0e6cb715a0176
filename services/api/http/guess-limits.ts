import type { Logger } from "moleculer";
import { memoryLimiter } from "../../../mixins/coordination/limiter/memory.limiter.ts";
import { SparseLog } from "../../../mixins/log/sparse-log.ts";
import { type Counting, GuessLimiter } from "./guess-limiter.ts";

/** A person may have chosen what these take, so few wrong tries are allowed, counted for all gateways together. */
const chosenPerMinute = 5;
/** Limits guesses of an owner's password from all addresses: more than one address can send, so that no stranger alone locks an owner out. */
const ownerPerMinute = 30;
/** A generated key has 190 bits. The limit only keeps clients with an old key from asking on and on. */
const generatedPerMinute = 20;

export interface GuessLimiters {
  /** Wrong admin keys, in the header and at the sign-in. */
  adminGuesses: GuessLimiter;
  /** Wrong tries to sign in, by address. */
  signInGuesses: GuessLimiter;
  /** Wrong passwords, by owner. */
  ownerGuesses: GuessLimiter;
  /** Wrong API keys, counted in this process: nobody needs to write to Redis for what cannot be guessed. */
  keyGuesses: GuessLimiter;
  /** Requests for feeds that do not exist, by address. */
  feedGuesses: GuessLimiter;
}

/** The limits on guessing. `limiter` is open later than the gateway is set up. */
export function guessLimiters(limiter: () => Counting, logger: Logger): GuessLimiters {
  const ofProcess = memoryLimiter();
  const sparse = new SparseLog(logger);
  const shared: Counting = {
    consume: (key, rate) => limiter().consume(key, rate),
    peek: (key, rate) => limiter().peek(key, rate),
  };
  const limitOn = (what: string, perMinute: number, counting: Counting) =>
    new GuessLimiter({
      limiter: counting,
      name: what,
      perMinute,
      onGuessing: client => sparse.log("guessing.detected", { what, client }),
    });
  return {
    adminGuesses: limitOn("admin key", chosenPerMinute, shared),
    signInGuesses: limitOn("sign-in", chosenPerMinute, shared),
    ownerGuesses: limitOn("owner", ownerPerMinute, shared),
    keyGuesses: limitOn("API key", generatedPerMinute, ofProcess),
    feedGuesses: limitOn("feed", generatedPerMinute, ofProcess),
  };
}
