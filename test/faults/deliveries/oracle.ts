import { type Item, itemId } from "./feeds.ts";

/** One delivery as an endpoint saw it. */
export interface Arrival {
  key: number;
  eventId: string;
  item: Item;
  /** Milliseconds since 1970. */
  at: number;
  /** The endpoint answered 200. */
  accepted: boolean;
}

export interface Verdict {
  expected: number;
  arrived: number;
  duplicates: number;
  /** Everything that is not as it must be, in sentences. */
  wrong: string[];
}

/** Deliveries that one endpoint may have in flight, and so may get again after a kill. */
const window = 16;

/** Knows what each key must get, and judges what it got. */
export class Oracle {
  readonly #expected = new Map<number, Map<string, Item>>();
  readonly #kills: number[] = [];

  expect(key: number, item: Item): void {
    const items = this.#expected.get(key) ?? new Map<string, Item>();
    this.#expected.set(key, items.set(itemId(item), item));
  }

  killed(at: number): void {
    this.#kills.push(at);
  }

  /** How many items a key must get. */
  due(key: number): number {
    return this.#expected.get(key)?.size ?? 0;
  }

  /** Pairs of key and item that no endpoint has accepted yet. */
  missing(arrivals: Arrival[]): string[] {
    const accepted = new Set(arrivals.filter(each => each.accepted).map(nameOf));
    return [...this.#expected].flatMap(([key, items]) =>
      [...items.values()].map(item => nameOf({ key, item })).filter(name => !accepted.has(name)),
    );
  }

  judge(arrivals: Arrival[], isHealthy: (key: number) => boolean): Verdict {
    const missing = this.missing(arrivals);
    const expected = [...this.#expected.values()].reduce((sum, items) => sum + items.size, 0);
    const duplicates = this.#duplicates(arrivals);
    const wrong = [
      ...missing.map(name => `${name} never arrived`),
      ...arrivals.filter(each => !this.#isExpected(each)).map(each => `${nameOf(each)} was never due`),
      ...outOfOrder(arrivals.filter(({ key }) => isHealthy(key))),
      ...twoEvents(arrivals),
      ...this.#unexplained(duplicates),
    ];
    return { expected, arrived: expected - missing.length, duplicates: duplicates.length, wrong };
  }

  #isExpected({ key, item }: Arrival): boolean {
    return this.#expected.get(key)?.has(itemId(item)) ?? false;
  }

  /** Deliveries of what had been accepted before, with the kill in between; none is not explained. */
  #duplicates(arrivals: Arrival[]): { arrival: Arrival; kill: number | undefined }[] {
    const accepted = new Map<string, number>();
    return arrivals.flatMap(arrival => {
      const name = `${arrival.key} ${arrival.eventId}`;
      const before = accepted.get(name);
      if (arrival.accepted) accepted.set(name, arrival.at);
      if (before === undefined) return [];
      return [{ arrival, kill: this.#kills.find(kill => before <= kill && kill <= arrival.at) }];
    });
  }

  /** After each kill an endpoint may get again what was in flight, and no more. */
  #unexplained(duplicates: { arrival: Arrival; kill: number | undefined }[]): string[] {
    const perKill = new Map<string, number>();
    return duplicates.flatMap(({ arrival, kill }) => {
      const name = `${arrival.key} ${kill}`;
      const count = (perKill.get(name) ?? 0) + 1;
      perKill.set(name, count);
      if (kill !== undefined && count <= window) return [];
      return [`${nameOf(arrival)} came again ${kill === undefined ? "without a kill" : "beyond the window"}`];
    });
  }
}

function nameOf({ key, item }: Pick<Arrival, "key" | "item">): string {
  return `key ${key}, ${itemId(item)}`;
}

/** First arrivals of one feed's items at one endpoint must rise. */
function outOfOrder(arrivals: Arrival[]): string[] {
  const newest = new Map<string, number>();
  const seen = new Set<string>();
  return arrivals.flatMap(arrival => {
    const name = nameOf(arrival);
    if (seen.has(name)) return [];
    seen.add(name);
    const lane = `${arrival.key} ${arrival.item.feed}`;
    const before = newest.get(lane) ?? -1;
    newest.set(lane, Math.max(before, arrival.item.number));
    return arrival.item.number > before ? [] : [`${name} came after item ${before} of its feed`];
  });
}

/** One item makes one event for a key, however often a step was repeated. */
function twoEvents(arrivals: Arrival[]): string[] {
  const ids = new Map<string, string>();
  return arrivals.flatMap(arrival => {
    const name = nameOf(arrival);
    const known = ids.get(name) ?? arrival.eventId;
    ids.set(name, known);
    return known === arrival.eventId ? [] : [`${name} came as two events`];
  });
}
