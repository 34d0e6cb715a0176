import { type Periodic, periodic } from "../async/periodic.ts";
export interface AppendNotificationsOptions {
  /** The count of appends, and the keys whose logs grew after the count `since`, each with the count of its last append. */
  poll(since: number): Promise<{ count: number; grown: Map<string, number> }>;
  onError(error: unknown): void;
}

type Listener = (keyIds: string[]) => void;

const pollEveryMs = 2000;

/**
 * Notifies the listeners of a process which logs have grown: at once when another node's notification arrives, and by the
 * next poll when it is lost. Each append is notified once.
 */
export class AppendNotifications {
  readonly #options: AppendNotificationsOptions;
  readonly #listeners = new Set<Listener>();
  /** The appends notified since the last poll, by key. */
  readonly #notified = new Map<string, number>();
  #seen: number;
  #polling: Periodic | undefined;

  /** Notifies of appends after `count`. */
  constructor(count: number, options: AppendNotificationsOptions) {
    this.#seen = count;
    this.#options = options;
  }

  listen(listener: Listener): () => void {
    this.#listeners.add(listener);
    const { onError } = this.#options;
    this.#polling ??= periodic(() => this.#poll(), { everyMs: pollEveryMs, onError });
    return () => this.#listeners.delete(listener);
  }

  receive(keyIds: string[], count: number): void {
    if (count <= this.#seen || this.#listeners.size === 0) return;
    for (const keyId of keyIds) this.#notified.set(keyId, Math.max(count, this.#notified.get(keyId) ?? 0));
    this.#notify(keyIds);
  }

  close(): void {
    void this.#polling?.stop();
    this.#listeners.clear();
  }

  async #poll(): Promise<void> {
    const { count, grown } = await this.#options.poll(this.#seen);
    // Redis has lost what it counted.
    if (count < this.#seen) this.#notified.clear();
    const unnotified = [...grown].filter(([keyId, at]) => at > (this.#notified.get(keyId) ?? 0));
    this.#seen = count;
    for (const [keyId, at] of this.#notified) if (at <= count) this.#notified.delete(keyId);
    this.#notify(unnotified.map(([keyId]) => keyId));
  }

  #notify(keyIds: string[]): void {
    if (keyIds.length > 0) for (const listener of this.#listeners) listener(keyIds);
  }
}
