import { randomBytes, scrypt, timingSafeEqual } from "node:crypto";
import { FairSemaphore } from "../../mixins/async/fair-semaphore.ts";
import { fail, invalid } from "../contracts/errors.ts";

/** The parameters of scrypt (RFC 7914): N is 2^ln. */
interface Cost {
  ln: number;
  r: number;
  p: number;
}

/** OWASP's parameters for 32 MB. */
const usualCost: Cost = { ln: 15, r: 8, p: 3 };
const saltBytes = 16;
const hashBytes = 32;

/** Hashes at a time: each takes 32 MB and one of the four threads that files and look-ups use as well. */
const width = 2;
const maxWaiting = 32;
const waitMs = 8000;

/** `$scrypt$ln=15,r=8,p=3$<salt>$<hash>`, as the PHC string format has it, in base64url. */
const form = /^\$scrypt\$ln=(\d{1,2}),r=(\d{1,2}),p=(\d{1,2})\$([\w-]+)\$([\w-]+)$/;

/** Passwords at rest: scrypt, each with a salt of its own, a bounded number at a time. */
export class Passwords {
  readonly #places = new FairSemaphore({ width });
  readonly #cost: Cost;

  /** `cost` is that of new hashes; stored ones name their own. */
  constructor(cost: Cost = usualCost) {
    this.#cost = cost;
  }

  async hash(password: string): Promise<string> {
    const salt = randomBytes(saltBytes);
    const hash = await this.#derive(password, salt, this.#cost);
    const { ln, r, p } = this.#cost;
    return `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString("base64url")}$${hash.toString("base64url")}`;
  }

  /** Whether a password is the one that was hashed. Without a hash it takes as long, and is wrong. */
  async fits(password: string, stored: string | undefined): Promise<boolean> {
    const [, ln, r, p, salt, hash] = form.exec(stored ?? "") ?? [];
    if (!salt || !hash) {
      await this.#derive(password, randomBytes(saltBytes), this.#cost);
      return false;
    }
    const cost = { ln: Number(ln), r: Number(r), p: Number(p) };
    const expected = Buffer.from(hash, "base64url");
    const found = await this.#derive(password, Buffer.from(salt, "base64url"), cost);
    return found.length === expected.length && timingSafeEqual(found, expected);
  }

  async #derive(password: string, salt: Buffer, { ln, r, p }: Cost): Promise<Buffer> {
    if (this.#places.waiting() >= maxWaiting) throw busy();
    const leave = await this.#places.acquire("", AbortSignal.timeout(waitMs)).catch(() => {
      throw busy();
    });
    try {
      // Twice what the algorithm itself needs, since Node counts some more.
      const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r };
      // Two Unicode forms of one text are the same password (RFC 8265, 4.2).
      const bytes = password.normalize("NFC");
      return await new Promise((resolve, reject) =>
        scrypt(bytes, salt, hashBytes, options, (error, key) => (error ? reject(error) : resolve(key))),
      );
    } finally {
      leave();
    }
  }
}

/** Below it a password is on lists of common ones, or is as easy to guess: at most a million tries. */
const leastScore = 2;
/** How many characters are checked: if these cannot be guessed, the rest need no check. */
const lookedAt = 32;

/** Throws 400 for a password that guessers try first, about the field that it came in. */
export async function refuseCommon(field: string, password: string): Promise<void> {
  const { check } = await loadStrength();
  if (check(password.slice(0, lookedAt)).score < leastScore)
    throw invalid(
      field,
      "too_common",
      "This password is among those that are guessed first. Choose a longer one, such as four words that do not belong together.",
    );
}

type Strength = Pick<import("@zxcvbn-ts/core").ZxcvbnFactory, "check">;
let strength: Promise<Strength> | undefined;

/** The lists take 30 MB of memory, so they are read with the first new password. */
function loadStrength(): Promise<Strength> {
  strength ??= Promise.all([import("@zxcvbn-ts/core"), import("@zxcvbn-ts/language-common")]).then(
    ([{ ZxcvbnFactory }, { dictionary, adjacencyGraphs: graphs }]) => {
      const factory = new ZxcvbnFactory({ dictionary, graphs });
      return { check: password => factory.check(password) };
    },
  );
  // It may have failed for lack of file descriptors, for example: the next password tries again.
  strength.catch(() => {
    strength = undefined;
  });
  return strength;
}

function busy(): Error {
  return fail("overloaded", "Too many passwords are being checked. Try again shortly.", { retry_after: 2 });
}
