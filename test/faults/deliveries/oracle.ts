import { type Item, itemId } from "./feeds.ts";
import type { Mode } from "./plan-receivers.ts";

/** One delivery as an endpoint saw it. */
export interface Arrival {
  key: number;
  eventId: string;
  /** Its place in the key's log. */
  seq: number;
  item: Item;
  /** Which start of the service sent it, counted from 1. */
  epoch: number;
  /** While a fault lasts, what was taken may come again before it ends. */
  amidFault?: boolean;
  /** The endpoint answered 200. */
  accepted: boolean;
}

/** What a key must get and has not got. */
export type Missing = Pick<Arrival, "key" | "item">;

export interface Verdict {
  expected: number;
  arrived: number;
  duplicates: number;
  /** Refused five times, set aside, and listed as such. */
  dead: number;
  /** Everything that is not as it must be, in sentences. */
  wrong: string[];
}

/** What is promised to an endpoint. */
export interface Promised {
  mode: Mode;
  /** It takes every attempt, so that what arrives is in the order of the attempts. */
  isHealthy: boolean;
  /** It refuses no event twice, so that what it takes is in order within each conversation. */
  refusesOnce: boolean;
  /** No event of it is set aside. */
  staysActive: boolean;
}

/** After this many refusals an event is set aside. */
const attempts = 5;

/** Knows what each key must get, and judges what it got. */
export class Oracle {
  readonly #expected = new Map<number, Map<string, Item>>();
  readonly #permitted = new Map<string, number>();
  readonly #dead = new Set<string>();
  readonly #window: number;

  /** `window`: deliveries to one endpoint that are in flight or not written yet, and so may come again after a kill. */
  constructor(window = 128) {
    this.#window = window;
  }

  expect(key: number, item: Item): void {
    const items = this.#expected.get(key) ?? new Map<string, Item>();
    this.#expected.set(key, items.set(itemId(item), item));
  }

  /** A key may get items of a feed, from this number on: it has asked to track it, and no answer has come yet. */
  permit(key: number, { feed, number }: Item): void {
    this.#permitted.set(`${key} ${feed}`, number);
  }

  /** The service lists an event as set aside. */
  setAside(key: number, eventId: string): void {
    this.#dead.add(`${key} ${eventId}`);
  }

  /** How many items a key must get. */
  due(key: number): number {
    return this.#expected.get(key)?.size ?? 0;
  }

  isDue(key: number, id: string): boolean {
    return this.#expected.get(key)?.has(id) ?? false;
  }

  /** What no endpoint has accepted yet, and what was not set aside either. */
  missing(arrivals: Arrival[]): Missing[] {
    const settled = new Set(
      arrivals.filter(each => each.accepted || this.#isDead(arrivals, each)).map(nameOf),
    );
    return [...this.#expected].flatMap(([key, items]) =>
      [...items.values()].map(item => ({ key, item })).filter(each => !settled.has(nameOf(each))),
    );
  }

  judge(arrivals: Arrival[], promisedTo: (key: number) => Promised): Verdict {
    const missing = this.missing(arrivals);
    const expected = [...this.#expected.values()].reduce((sum, items) => sum + items.size, 0);
    const duplicates = duplicatesIn(arrivals);
    const wrong = [
      ...missing.map(each => `${nameOf(each)} never arrived`),
      ...arrivals.filter(each => !this.#isExpected(each)).map(each => `${nameOf(each)} was never due`),
      ...[...Map.groupBy(arrivals, ({ key }) => key)].flatMap(([key, own]) =>
        outOfOrder(own, promisedTo(key), this.#window),
      ),
      ...[...this.#dead]
        .filter(name => promisedTo(Number.parseInt(name, 10)).staysActive)
        .map(each => `${each} is dead`),
      ...twoEvents(arrivals),
      ...unexplained(duplicates, this.#window),
    ];
    const dead = this.#dead.size;
    return {
      expected,
      arrived: expected - missing.length - dead,
      duplicates: duplicates.length,
      dead,
      wrong,
    };
  }

  /** Listed, and refused as often as an event is tried. */
  #isDead(arrivals: Arrival[], { key, eventId }: Arrival): boolean {
    if (!this.#dead.has(`${key} ${eventId}`)) return false;
    return (
      arrivals.filter(each => each.key === key && each.eventId === eventId && !each.accepted).length >=
      attempts
    );
  }

  #isExpected({ key, item }: Arrival): boolean {
    if (this.#expected.get(key)?.has(itemId(item))) return true;
    return item.number >= (this.#permitted.get(`${key} ${item.feed}`) ?? Number.POSITIVE_INFINITY);
  }
}

interface Duplicate {
  arrival: Arrival;
  isOverKill: boolean;
}

/** Deliveries of what had been accepted before; a kill between the two explains them. */
function duplicatesIn(arrivals: Arrival[]): Duplicate[] {
  const accepted = new Map<string, number>();
  return arrivals.flatMap(arrival => {
    const name = `${arrival.key} ${arrival.eventId}`;
    const before = accepted.get(name);
    if (arrival.accepted) accepted.set(name, arrival.epoch);
    return before === undefined
      ? []
      : [{ arrival, isOverKill: before < arrival.epoch || arrival.amidFault === true }];
  });
}

/** After a kill an endpoint may get again what was in flight, and no more. */
function unexplained(duplicates: Duplicate[], window: number): string[] {
  const perEpoch = new Map<string, number>();
  return duplicates.flatMap(({ arrival, isOverKill }) => {
    const name = `${arrival.key} ${arrival.epoch}`;
    const count = (perEpoch.get(name) ?? 0) + 1;
    perEpoch.set(name, count);
    if (isOverKill && count <= window) return [];
    return [`${nameOf(arrival)} came again ${isOverKill ? "beyond the window" : "without a kill"}`];
  });
}

function nameOf({ key, item }: Missing): string {
  return `key ${key}, ${itemId(item)}`;
}

/** Sentences on what came in another order than the mode of its endpoint promises. */
function outOfOrder(own: Arrival[], { mode, isHealthy, refusesOnce }: Promised, window: number): string[] {
  const attempts = isHealthy ? firstOf(own) : [];
  const taken = refusesOnce && mode !== "none" ? firstOf(own.filter(({ accepted }) => accepted)) : [];
  return [
    ...outOfSequence(attempts, mode === "none" ? window : mode === "batch" ? 0 : Number.POSITIVE_INFINITY),
    ...outOfConversation(taken),
  ];
}

/** The first arrival of each event. */
function firstOf(arrivals: Arrival[]): Arrival[] {
  const seen = new Set<string>();
  return arrivals.filter(({ eventId }) => !seen.has(eventId) && seen.add(eventId));
}

/** Events may come after others that stand at most `slack` places further on in the log. */
function outOfSequence(arrivals: Arrival[], slack: number): string[] {
  let newest = 0;
  return arrivals.flatMap(arrival => {
    const before = newest;
    newest = Math.max(newest, arrival.seq);
    return before - arrival.seq > slack
      ? [`${nameOf(arrival)} came as event ${arrival.seq} after event ${before}`]
      : [];
  });
}

/** The items of one feed must rise. */
function outOfConversation(arrivals: Arrival[]): string[] {
  const newest = new Map<number, number>();
  return arrivals.flatMap(arrival => {
    const { feed, number } = arrival.item;
    const before = newest.get(feed) ?? -1;
    newest.set(feed, Math.max(before, number));
    return number > before ? [] : [`${nameOf(arrival)} came after item ${before} of its feed`];
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
