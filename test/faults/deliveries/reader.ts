import type { Event } from "../../../services/contracts/events.ts";

/** A client that reads a key's events from their beginning, and goes on after the last one whatever happens. */
export abstract class Reader {
  /** Ids of the items that came, in order. */
  readonly items: string[] = [];
  /** Answers that it has got, or streams that were opened. */
  connections = 0;
  /** Called with each event. */
  heard: (event: Event) => void = () => undefined;
  protected seq = 0;
  readonly #wrong: string[] = [];

  abstract close(): void;

  /** Sentences on what came twice, was left out, or never came. */
  judge(name: string, due: number, isDue: (id: string) => boolean = () => true): string[] {
    const items = this.items.filter(isDue);
    const distinct = new Set(items).size;
    return [
      ...this.#wrong.map(text => `${name}: ${text}`),
      ...(distinct === due && items.length === due
        ? []
        : [`${name}: ${due} items were due, ${items.length} came, ${distinct} of them distinct`]),
    ];
  }

  protected complain(what: string): void {
    this.#wrong.push(`${what} after event ${this.seq}`);
  }

  protected take(event: Event): void {
    const { seq, data } = event;
    if (seq !== this.seq + 1) this.complain(`event ${seq} came`);
    this.seq = seq;
    const { item } = data as { item?: { id?: string } };
    if (item?.id) this.items.push(item.id);
    this.heard(event);
  }
}
