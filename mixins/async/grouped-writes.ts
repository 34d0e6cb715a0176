import { setImmediate as yieldToLoop } from "node:timers/promises";

interface Waiting<Item> {
  items: readonly Item[];
  resolve(): void;
  reject(error: unknown): void;
}

/** Items that one write takes, about: it blocks the process for some tens of milliseconds. */
const mostTogether = 200;

/**
 * Writes together what many callers give at about the same time: all of one turn of the event loop, and all that come while
 * the write before it is on its way to the disk. A caller waits for its own items only, and gets its own error.
 */
export class GroupedWrites<Item> {
  readonly #write: (items: readonly Item[]) => Promise<void>;
  #waiting: Waiting<Item>[] = [];
  #writing: Promise<void> | undefined;

  /** `write` writes all of its items or none. */
  constructor(write: (items: readonly Item[]) => Promise<void>) {
    this.#write = write;
  }

  add(items: readonly Item[]): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ items, resolve, reject });
      this.#writing ??= this.#writeAll();
    });
  }

  /** Resolves when nothing waits. */
  async done(): Promise<void> {
    await this.#writing;
  }

  /** What else waits for this turn of the loop goes first. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await yieldToLoop();
      await this.#writeGroup(this.#nextGroup());
    }
    this.#writing = undefined;
  }

  #nextGroup(): Waiting<Item>[] {
    let items = 0;
    const end = this.#waiting.findIndex(each => {
      items += each.items.length;
      return items >= mostTogether;
    });
    return this.#waiting.splice(0, end < 0 ? this.#waiting.length : end + 1);
  }

  async #writeGroup(group: Waiting<Item>[]): Promise<void> {
    try {
      await this.#write(group.flatMap(({ items }) => items));
      for (const { resolve } of group) resolve();
    } catch (error) {
      if (group.length === 1) group[0]?.reject(error);
      else for (const each of group) await this.#writeGroup([each]);
    }
  }
}
