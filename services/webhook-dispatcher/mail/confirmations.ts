import { randomUUID } from "node:crypto";
import { FairSemaphore } from "../../../mixins/async/fair-semaphore.ts";
import type { Limiter } from "../../../mixins/coordination/limiter/limiter.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { FinalFailure, Later, type Queues } from "../../../mixins/queue/queue.ts";
import type { Store } from "../../../mixins/store/store.ts";
import { fail } from "../../contracts/errors.ts";
import { keyOf } from "../../domain/delivery/lane.ts";
import { addressOf, awaitsConfirmation, mailboxOf } from "../../domain/delivery/mail/address.ts";
import { lanesCollection, type StoredEndpoint, type StoredLane } from "../webhooks.store.ts";
import type { MailWay } from "./mail-way.ts";

/** The mails that ask the owners of addresses. */
export interface Confirmations {
  /** Counts one mail that asks. Throws 429 when its key, or the address, has had enough of them. */
  admit(keyId: string, url: string): Promise<void>;
  /** Queues the mail; it is on disk when this resolves. */
  ask(endpoint: StoredEndpoint): Promise<void>;
  close(): Promise<void>;
}

interface ConfirmationOptions {
  endpoints: Store<StoredEndpoint>;
  mail: MailWay;
  queues: Queues;
  limiter: Pick<Limiter, "consume">;
  logger: { info(...line: unknown[]): void; warn(...line: unknown[]): void };
}

interface Question {
  laneId: string;
  webhookId: string;
  url: string;
}

/** A monitor has up to 25 addresses. */
const ofKey = { limit: 50, windowMs: 3_600_000 };
/** The limit of an address, for all callers together: nobody can fill a stranger's mailbox with questions. */
const ofAddress = { limit: 3, windowMs: 24 * 3_600_000 };
const backoffMs = [5_000, 30_000, 120_000, 600_000, 3_600_000];
/** The last pause repeats, so attempts continue for a day. */
const attempts = backoffMs.length + 24;
/** Questions at a time; of one key fewer, so that addresses whose server is slow hold up no other key's. */
const [concurrency, perKey] = [8, 2];
const busyMs = 1_000;

export function openConfirmations({
  endpoints,
  mail,
  queues,
  limiter,
  logger,
}: ConfirmationOptions): Confirmations {
  const queue = queues.queue<Question>("confirmations");
  const lanes = endpoints.collection<StoredLane>(lanesCollection);
  const askOne = async (id: string, payload: Question, signal: AbortSignal): Promise<void> => {
    const endpoint = await endpoints.findById(payload.laneId);
    const isAsked = endpoint?.webhookId === payload.webhookId && endpoint.url === payload.url;
    if (!isAsked || !awaitsConfirmation(endpoint)) return;
    if ((await lanes.findById(endpoint._id))?.status !== "UNCONFIRMED") return;
    const { error, status, text, blame } = await mail.askFor(endpoint, id, signal);
    const line = { keyId: keyOf(endpoint._id), webhookId: endpoint.webhookId, status, error };
    if (error === null) logEvent(logger, "mail_confirmation.sent", line);
    else {
      logEvent(logger, "mail_confirmation.failed", { ...line, answer: text });
      if (blame !== "nobody") throw new FinalFailure("rejected", "The mail server has refused the address");
      throw new Error("The mail server could not take the mail");
    }
  };
  const asking = new FairSemaphore({ width: concurrency });
  const worker = queue.work({ concurrency }, async ({ id, payload }, { signal }) => {
    const keyId = keyOf(payload.laneId);
    if (asking.held(keyId) >= perKey) throw new Later(busyMs);
    await asking.run(keyId, signal, () => askOne(id, payload, signal));
    return null;
  });
  return {
    admit: async (keyId, url) => {
      const key = await limiter.consume(`mail:key:${keyId}`, ofKey);
      refuse(key, "This key has asked for many confirmations.");
      const address = await limiter.consume(`mail:address:${mailboxOf(addressOf(url))}`, ofAddress);
      refuse(address, "This address was asked three times within a day.");
    },
    ask: async ({ _id: laneId, webhookId, url }) => {
      const id = `confirm-${randomUUID()}`;
      await queue.add({ id, payload: { laneId, webhookId, url }, attempts, backoffMs });
    },
    close: () => worker.close(),
  };
}

function refuse({ allowed, retryAfterMs }: { allowed: boolean; retryAfterMs: number }, why: string): void {
  if (allowed) return;
  const retryAfter = Math.max(1, Math.ceil(retryAfterMs / 1000));
  throw fail("rate_limited", `${why} Try again in ${retryAfter} s.`, { retry_after: retryAfter });
}
