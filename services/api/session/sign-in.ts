import type { Logger, ServiceBroker } from "moleculer";
import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { SparseLog } from "../../../mixins/log/sparse-log.ts";
import { call } from "../../contracts/action.ts";
import { fail } from "../../contracts/errors.ts";
import {
  changePassword,
  type OpenedSession,
  openKeySession,
  openOwnerSession,
  redeemLink,
} from "../../contracts/session.contract.ts";
import type { AdminCheck, AuthContext } from "../http/auth.ts";
import { type ClientRequest, clientAddress, type GuessLimiter } from "../http/guess-limiter.ts";
import { deviceToken } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";

/** What somebody signs in with. */
export type Credentials =
  | { way: "any"; value: string }
  | { way: "admin"; value: string }
  | { way: "key"; value: string }
  | { way: "owner"; owner: string; value: string };

export interface SignInOptions {
  broker: ServiceBroker;
  logger: Logger;
  sessions: Sessions;
  isAdmin: AdminCheck;
  /** Wrong admin keys, with those of the header `x-admin-key`. */
  adminGuesses: GuessLimiter;
  /** Wrong tries of any way, by the client's address. */
  guesses: GuessLimiter;
  /** Counts wrong passwords by owner. */
  ownerGuesses: GuessLimiter;
  trustedProxies: AuthContext["trustedProxies"];
}

const timeoutMs = 10_000;

const wrong = {
  any: "This is neither the admin key nor an API key.",
  admin: "This is not the admin key.",
  key: "There is no such API key.",
  owner: "The owner or the password is wrong.",
  password: "The current password is wrong.",
};

/** Clients whose tries are compared at a time. */
const width = 1000;

/** The limiters that count wrong tries, and what each counts them by. */
type Counts = { by: GuessLimiter; of: string }[];

/**
 * Opens sessions. Wrong tries are counted, and refused once there are too many. A right key opens a session all the same:
 * nobody guesses one, and no stranger may lock out who has it. Passwords can be guessed, so too many wrong ones refuse right
 * ones as well, except on devices where their owner signed in before: those have a count of their own.
 */
export class SignIn {
  readonly #of: SignInOptions;
  readonly #sparse: SparseLog;
  /** A client's tries run one after another: what was counted of the first decides whether the next one is compared. */
  readonly #slots = new FairSemaphore({ width, perGroup: 1 });

  constructor(of: SignInOptions) {
    this.#of = of;
    this.#sparse = new SparseLog(of.logger);
  }

  get sessions(): Sessions {
    return this.#of.sessions;
  }

  /** A session for these credentials. Throws 401, and 429 after too many wrong ones. */
  async open(req: ClientRequest, credentials: Credentials): Promise<OpenedSession> {
    if (credentials.way === "owner")
      return await this.#judge(req, "owner", credentials.owner, () => this.#compare(credentials));
    const client = this.#client(req);
    const opened = await this.#compare(credentials);
    if (opened) return this.#opened(opened, client);
    const { guesses, adminGuesses } = this.#of;
    await guesses.count(client);
    if (credentials.way !== "key") await adminGuesses.count(client);
    throw this.#refusal(credentials.way, client);
  }

  /** Sets an owner's password by its one-time link. The link cannot be guessed, so nothing is counted. */
  async redeem(req: ClientRequest, token: string, password: string): Promise<OpenedSession> {
    const { broker } = this.#of;
    const opened = await call(broker, redeemLink, { token, password }, { timeout: timeoutMs });
    return this.#opened(opened, this.#client(req));
  }

  /** Changes the password of an owner who is signed in. A wrong current one counts as a wrong try to sign in. */
  change(req: ClientRequest, owner: string, current: string, next: string): Promise<OpenedSession> {
    const { broker } = this.#of;
    return this.#judge(req, "password", owner, () =>
      call(broker, changePassword, { owner, current, next }, { timeout: timeoutMs }),
    );
  }

  /** What wrong passwords are counted by, and the group whose tries run one at a time: a device's, or an address's. */
  #countsOf(req: ClientRequest, owner: string): { group: string; counts: Counts } {
    const { guesses, ownerGuesses, sessions } = this.#of;
    const device = sessions.deviceOf(deviceToken(req.headers), owner);
    if (device !== undefined) return { group: device, counts: [{ by: guesses, of: device }] };
    const client = this.#client(req);
    const counts = [
      { by: guesses, of: client },
      { by: ownerGuesses, of: owner },
    ];
    return { group: client, counts };
  }

  async #judge(
    req: ClientRequest,
    way: "owner" | "password",
    owner: string,
    compare: () => Promise<OpenedSession | null>,
  ): Promise<OpenedSession> {
    const client = this.#client(req);
    const { group, counts } = this.#countsOf(req, owner);
    const leave = await this.#slots.acquire(group, AbortSignal.timeout(timeoutMs)).catch(() => {
      throw fail("overloaded", "Too many tries to sign in wait. Try again shortly.", { retry_after: 2 });
    });
    try {
      const opened = await compareAndCount(counts, compare);
      if (opened) return this.#opened(opened, client);
    } finally {
      leave();
    }
    throw this.#refusal(way, client);
  }

  #refusal(way: keyof typeof wrong, client: string): Error {
    this.#sparse.log("session.refused", { way, client });
    return fail(way === "password" ? "forbidden" : "unauthorized", wrong[way]);
  }

  async #compare(credentials: Credentials): Promise<OpenedSession | null> {
    const { broker, isAdmin, sessions } = this.#of;
    const { way, value } = credentials;
    const isOfAdmin = (way === "admin" || way === "any") && isAdmin(value);
    if (way === "admin" || isOfAdmin) return isOfAdmin ? sessions.openAdmin() : null;
    if (way === "key" || way === "any")
      return await call(broker, openKeySession, { key: value }, { timeout: timeoutMs });
    const named = { owner: credentials.owner, password: value };
    return await call(broker, openOwnerSession, named, { timeout: timeoutMs });
  }

  #client(req: ClientRequest): string {
    return clientAddress(req, this.#of.trustedProxies);
  }

  #opened(opened: OpenedSession, client: string): OpenedSession {
    const { role, owner, key } = opened.session;
    logEvent(this.#of.logger, "session.opened", { role, owner, keyId: key?.id, client });
    return opened;
  }
}

/**
 * After too many wrong tries every try gets 429, right or wrong. The shared count is read after the comparison as well, so
 * parallel tries at several gateways gain nothing.
 */
async function compareAndCount(
  counts: Counts,
  compare: () => Promise<OpenedSession | null>,
): Promise<OpenedSession | null> {
  for (const { by, of } of counts) await by.check(of);
  const opened = await compare();
  for (const { by, of } of counts) await (opened ? by.check(of) : by.count(of));
  return opened;
}
