import type { Dispatcher as Agent } from "undici";
import type { Queue } from "../../../mixins/queue/queue.ts";
import type { Store } from "../../../mixins/store/store.ts";
import type { Schedule } from "../../domain/delivery/backoff.ts";
import type { WebhookContext } from "../context.ts";
import type { StoredEndpoint, StoredJobSecret, StoredNotice } from "../webhooks.store.ts";

/** The payload of a queue run. */
export interface NoticeRun {
  noticeId: string;
  run: number;
}

/** What the operations on notices work with. */
export interface NoticeContext
  extends Pick<
    WebhookContext,
    "endpoints" | "deliveries" | "vault" | "egress" | "allowHttp" | "onAttempted"
  > {
  endpoints: Store<StoredEndpoint>;
  notices: Store<StoredNotice>;
  jobSecrets: Store<StoredJobSecret>;
  queue: Queue<NoticeRun>;
  agent: Agent;
  schedule: Schedule;
  perKeyLimit: PerKeyLimit;
  logger: Record<"warn" | "info" | "debug", (...args: unknown[]) => void>;
}

/** Limits the exchanges under way for each key, so that the receiver of one key cannot occupy all of them. */
export class PerKeyLimit {
  readonly #atMost: number;
  readonly #taken = new Map<string, number>();

  constructor(atMost: number) {
    this.#atMost = atMost;
  }

  /** False if the key has reached its limit; otherwise call `release` afterwards. */
  tryTake(keyId: string): boolean {
    const taken = this.#taken.get(keyId) ?? 0;
    if (taken >= this.#atMost) return false;
    this.#taken.set(keyId, taken + 1);
    return true;
  }

  release(keyId: string): void {
    const left = (this.#taken.get(keyId) ?? 0) - 1;
    if (left > 0) this.#taken.set(keyId, left);
    else this.#taken.delete(keyId);
  }
}
