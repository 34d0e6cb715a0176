import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import {
  codeOf,
  type ErrorExtras,
  fail,
  isCallTimeout,
  isServiceUnavailable,
} from "../../services/contracts/errors.ts";
import {
  type Charged,
  chargeQuotas,
  keysWithQuotas,
  quotasOfKeys,
  settleCharges,
} from "../../services/contracts/quotas.contract.ts";
import type { Charge } from "../../services/domain/quota/counts.ts";
import type { QuotaName, QuotaUse } from "../../services/domain/quota/quotas.ts";

/** Charges the work of a service to the quotas of keys. */
export interface Quotas {
  /** Whether the key has quotas; one that has none is not charged, and pays for this look-up alone. */
  has(keyId: string): boolean | Promise<boolean>;
  charge(keyId: string, charges: Charge[]): Promise<Charged>;
  settle(keyId: string, ids: string[], isDone: boolean): Promise<unknown>;
  /** What is used of each quota. */
  uses(keyId: string): Promise<QuotaUse[]>;
}

/** What is asked of the keys service. */
export interface QuotaCalls extends Omit<Quotas, "has"> {
  /** The keys that have quotas. */
  withQuotas(): Promise<string[]>;
}

const timeoutMs = 5000;
/** Services start in any order, those of other nodes too. */
const startMs = 10_000;
const checkMs = 200;
/** For a service that missed the broadcast `keys.quotas-changed`. */
const maxAgeMs = 30_000;

interface Answer {
  ids: Promise<ReadonlySet<string>>;
  /** Set when the answer has arrived. */
  known?: ReadonlySet<string>;
  askedAt: number;
}

/** Asks by calls. Waits for the keys service where there is none yet. */
export function quotaCalls(broker: ServiceBroker): QuotaCalls {
  const options = { timeout: timeoutMs };
  const ask = async () => (await call(broker, keysWithQuotas, {}, options)).ids;
  return {
    withQuotas: () =>
      ask()
        .catch(async error => {
          if (!isServiceUnavailable(error)) throw error;
          await broker.waitForServices("keys", startMs, checkMs);
          return await ask();
        })
        .catch(unavailable),
    charge: (keyId, charges) => call(broker, chargeQuotas, { keyId, charges }, options).catch(unavailable),
    settle: (keyId, ids, isDone) =>
      call(broker, settleCharges, { keyId, ids, isDone }, options).catch(unavailable),
    uses: async keyId => {
      const asked = call(broker, quotasOfKeys, { ids: [keyId] }, options);
      return (await asked.catch(unavailable)).keys[0]?.quotas ?? [];
    },
  };
}

/**
 * The quotas by calls to the keys service. Which keys have quotas is asked for once, and again when the service hears
 * `keys.quotas-changed` and calls `forget`.
 */
export class KeyQuotas implements Quotas, QuotaCalls {
  readonly #calls: QuotaCalls;
  readonly #now: () => number;
  #answer: Answer | undefined;
  /** The last answer before `forget`. */
  #former: ReadonlySet<string> | undefined;

  constructor(calls: QuotaCalls, now: () => number = () => performance.now()) {
    this.#calls = calls;
    this.#now = now;
  }

  /** Asks by calls. */
  static through(broker: ServiceBroker): KeyQuotas {
    return new KeyQuotas(quotaCalls(broker));
  }

  has(keyId: string): boolean | Promise<boolean> {
    if (!this.#answer || this.#now() - this.#answer.askedAt > maxAgeMs) this.#ask();
    const { known, ids } = this.#answer as Answer;
    return known ? known.has(keyId) : ids.then(found => found.has(keyId));
  }

  /** Asks before the first work comes, so that work continues while the keys service is away. */
  async warm(): Promise<void> {
    await this.has("");
  }

  /** The keys that have quotas, as far as it knows: for a thread, which then needs the keys service as little. */
  async withQuotas(): Promise<string[]> {
    await this.has("");
    return [...((await this.#answer?.ids) ?? [])];
  }

  charge(keyId: string, charges: Charge[]): Promise<Charged> {
    return this.#calls.charge(keyId, charges);
  }

  settle(keyId: string, ids: string[], isDone: boolean): Promise<unknown> {
    return this.#calls.settle(keyId, ids, isDone);
  }

  uses(keyId: string): Promise<QuotaUse[]> {
    return this.#calls.uses(keyId);
  }

  /** What was asked before may be old; a question on its way, too. */
  forget(): void {
    this.#former = this.#answer?.known ?? this.#former;
    this.#answer = undefined;
  }

  /** While a regular renewal is under way the former answer serves, and while the keys service is away. */
  #ask(): void {
    const known = this.#answer?.known;
    const former = known ?? this.#former;
    const loaded: Promise<ReadonlySet<string>> = this.#calls.withQuotas().then(found => new Set(found));
    const ids = former ? loaded.catch(() => former) : loaded;
    const answer: Answer = { ids, askedAt: this.#now(), ...(known && { known }) };
    this.#answer = answer;
    ids.then(
      found => {
        answer.known = found;
      },
      () => {
        if (this.#answer === answer) this.#answer = undefined;
      },
    );
  }
}

function unavailable(error: unknown): never {
  if (!isServiceUnavailable(error) && !isCallTimeout(error)) throw error;
  const message = "The keys service does not answer. Try again shortly.";
  throw fail("overloaded", message, { unanswered: "keys" }, error);
}

/** Whether work could not be charged since the keys service does not answer, on this node or another. */
export function isUncharged(error: unknown): boolean {
  const { data } = Object(error) as { data?: ErrorExtras };
  return codeOf(error) === "overloaded" && data?.unanswered === "keys";
}

/** Charges one piece of work that a client asks for. Answers all quotas of the key; throws 429 `quota_exceeded`. */
export async function chargeOrRefuse(quotas: Quotas, keyId: string, charge: Charge): Promise<QuotaUse[]> {
  const { refused, quotas: uses } = await quotas.charge(keyId, [charge]);
  if (refused) throw quotaExceeded(refused, Date.now());
  return uses;
}

/** Refuses work that begins later when a quota that it needs is used up. Answers those quotas. */
export async function refuseIfUsedUp(
  quotas: Quotas,
  keyId: string,
  names: readonly QuotaName[],
): Promise<QuotaUse[]> {
  if (!(await quotas.has(keyId))) return [];
  const uses = (await quotas.uses(keyId)).filter(({ name }) => names.includes(name));
  const usedUp = uses.findLast(({ used, limit }) => used >= limit);
  if (usedUp) throw quotaExceeded(usedUp, Date.now());
  return uses;
}

/** The id of the charge for the browser's part of a page. It is settled with the page's. */
export function renderedId(charge: string): string {
  return `${charge}:rendered`;
}

/** The refusal of a charge that exceeds a quota. */
export function quotaExceeded(quota: QuotaUse, now: number): Error {
  return fail("quota_exceeded", `${sentenceOf(quota)} It resets at ${quota.resets_at}.`, {
    retry_after: Math.max(1, Math.ceil((Date.parse(quota.resets_at) - now) / 1000)),
    quota,
  });
}

/** What a client reads of a quota that is used up. */
export function sentenceOf({ name, period, used, limit }: QuotaUse): string {
  return `The quota of ${name} of this ${period} is used up: ${used} of ${limit}.`;
}
