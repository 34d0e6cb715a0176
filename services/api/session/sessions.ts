import type { ServiceBroker } from "moleculer";
import { call } from "../../contracts/action.ts";
import { codeOf, isCallTimeout, isServiceUnavailable } from "../../contracts/errors.ts";
import type { SessionEnded } from "../../contracts/events.ts";
import {
  endSession,
  isSessionOpen,
  type KnownSession,
  type OpenedSession,
  readSession,
  type Session,
} from "../../contracts/session.contract.ts";
import { subKey } from "../../domain/key/seal.ts";
import {
  hasSessionForm,
  newSession,
  type SessionClaims,
  sessionName,
  signSession,
  verifySession,
} from "../../domain/session/session-token.ts";
import { LookupCache } from "../http/lookup-cache.ts";

const timeoutMs = 5000;
/** How long a device is known after a sign-in. */
export const deviceMs = 90 * 86_400_000;

/** Ends of sessions that a gateway remembers; the store knows all of them, and is asked again within a second. */
const mostEnded = 10_000;

/**
 * Sessions by their tokens. Only sign-outs are stored, until the session would have ended. The administrator's are signed
 * with a key that comes from ADMIN_KEY, so every gateway can read them and a new admin key ends them. Those of owners and
 * API keys are signed and read by the keys service, which knows whether the password and the key are still the same.
 */
export class Sessions {
  readonly #adminKey: Buffer;
  readonly #deviceKey: Buffer;
  readonly #known: LookupCache<KnownSession>;
  readonly #open: LookupCache<true>;
  /** Sessions that this gateway knows to be signed out, and when they would have ended. */
  readonly #ended = new Map<string, number>();
  readonly #broker: ServiceBroker;

  constructor(adminKey: string, broker: ServiceBroker) {
    this.#adminKey = subKey(adminKey, "api/session/v1");
    this.#deviceKey = subKey(adminKey, "api/device/v1");
    this.#broker = broker;
    this.#open = new LookupCache(name =>
      asked(call(broker, isSessionOpen, { name }, { timeout: timeoutMs })),
    );
    this.#known = new LookupCache(token => call(broker, readSession, { token }, { timeout: timeoutMs }));
  }

  openAdmin(): OpenedSession {
    const claims: SessionClaims = { role: "admin", ...newSession(Date.now()) };
    return { token: signSession(this.#adminKey, claims), session: adminSession(claims) };
  }

  /** The session of a token, and the caller of a session with an API key; null when it has ended. */
  async find(token: string): Promise<KnownSession | null> {
    const now = Date.now();
    if (!hasSessionForm(token) || this.#ended.has(sessionName(token))) return null;
    const claims = verifySession(this.#adminKey, token, now);
    if (claims)
      return claims.role === "admin" && (await this.#open.find(sessionName(token)))
        ? { session: adminSession(claims), caller: null }
        : null;
    const known = await this.#known.find(token);
    return known && Date.parse(known.session.expires_at) > now ? known : null;
  }

  /** Ends a session, which was found, for everybody who has its token. */
  async end(token: string, known: KnownSession): Promise<void> {
    const end = { name: sessionName(token), expiresAt: known.session.expires_at };
    await call(this.#broker, endSession, end, { timeout: timeoutMs });
    this.ended(end);
  }

  /** Somebody signed out, here or at another gateway. */
  ended({ name, expiresAt }: SessionEnded): void {
    for (const [other, end] of this.#ended) {
      if (end > Date.now() && this.#ended.size < mostEnded) break;
      this.#ended.delete(other);
    }
    this.#ended.set(name, Date.parse(expiresAt));
  }

  /** A token by which a device shows that this owner signed in there. */
  markDevice(owner: string): string {
    const { id } = newSession(Date.now());
    return signSession(this.#deviceKey, { role: "owner", owner, id, expiresAt: Date.now() + deviceMs });
  }

  /** The name of a device where this owner signed in before; undefined for any other token. */
  deviceOf(token: string | undefined, owner: string): string | undefined {
    const claims = token === undefined ? null : verifySession(this.#deviceKey, token, Date.now());
    return claims?.owner === owner ? `device ${token?.split(".").at(-1)}` : undefined;
  }

  /** The key was deleted. */
  forgetKey(keyId: string): void {
    this.#known.forget(({ session }) => session.key?.id === keyId);
  }

  /** The owner's password has changed. */
  forgetOwner(owner: string): void {
    this.#known.forget(({ session }) => session.role === "owner" && session.owner === owner);
  }
}

/**
 * Passes while the keys service is away, so that the administrator can find the reason; what this gateway knows of ended
 * sessions decides then.
 */
async function asked(isOpen: Promise<boolean>): Promise<true | null> {
  return (await isOpen.catch(unlessAway)) ? true : null;
}

function unlessAway(error: unknown): true {
  if (isServiceUnavailable(error) || isCallTimeout(error) || codeOf(error) === "overloaded") return true;
  throw error;
}

function adminSession({ expiresAt }: SessionClaims): Session {
  return { role: "admin", owner: null, key: null, expires_at: new Date(expiresAt).toISOString() };
}
