import { type Periodic, periodic } from "../../../mixins/async/periodic.ts";
import type { KeysContext } from "../context.ts";
import { countLog, keysWithQuotas } from "./charges.ts";

const checkEveryMs = 60_000;

/**
 * Counts the events of keys with quotas as they are appended, so that a key is warned of its quota of events in time. An append
 * is a hint that may be lost; once a minute all these keys are checked.
 */
export class QuotaWatch {
  readonly #context: KeysContext;
  readonly #onError: (error: unknown) => void;
  readonly #checking: Periodic;
  readonly #stopListening: () => void;
  #known = new Set<string>();
  /** Keys whose count is under way, and whether their log has grown since it began. */
  readonly #counting = new Map<string, boolean>();

  constructor(context: KeysContext, onError: (error: unknown) => void) {
    this.#context = context;
    this.#onError = onError;
    this.#checking = periodic(() => this.#checkAll(), { everyMs: checkEveryMs, onError, startsAtOnce: true });
    this.#stopListening = context.log.onAppended(keyIds => {
      for (const keyId of keyIds) if (this.#known.has(keyId)) void this.#count(keyId);
    });
  }

  /** The quotas of a key were changed. */
  async changed(keyId: string): Promise<void> {
    this.#known.add(keyId);
    await this.#count(keyId);
  }

  async stop(): Promise<void> {
    this.#stopListening();
    await this.#checking.stop();
  }

  async #checkAll(): Promise<void> {
    const { ids } = await keysWithQuotas(this.#context);
    this.#known = new Set(ids);
    for (const id of ids) await this.#count(id);
  }

  async #count(keyId: string): Promise<void> {
    const isCounting = this.#counting.has(keyId);
    this.#counting.set(keyId, isCounting);
    if (isCounting) return;
    try {
      do {
        this.#counting.set(keyId, false);
        await countLog(this.#context, keyId);
      } while (this.#counting.get(keyId));
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#counting.delete(keyId);
    }
  }
}
