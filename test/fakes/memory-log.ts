import type {
  Bounds,
  EventLog,
  EventsToErase,
  NewEvent,
  ReadBudget,
  WrittenEvent,
} from "../../mixins/event-log/event-log.ts";
import type { Event } from "../../services/contracts/events.ts";

/** A log in memory whose reads can be held up and broken. */
export class MemoryLog implements EventLog {
  readonly #logs = new Map<string, { events: (Event & { at: number })[]; latest: number }>();
  readonly #listeners = new Set<(keyIds: string[]) => void>();
  /** Runs in each read, between the look at the log and the answer. */
  duringRead: () => Promise<void> = async () => undefined;
  reads = 0;
  /** Appends give no hints. */
  muted = false;

  async append(events: NewEvent[]): Promise<string[]> {
    const grown = new Set(events.flatMap(event => event.keyIds.filter(keyId => this.#add(keyId, event))));
    for (const listener of this.muted ? [] : this.#listeners) listener([...grown]);
    return [...grown];
  }

  async holders(bodyIds: string[], keyIds: string[]): Promise<string[][]> {
    const has = (keyId: string, bodyId: string) =>
      this.#of(keyId).events.some(({ id }) => id === `evt_${bodyId}`);
    return bodyIds.map(bodyId => keyIds.filter(keyId => has(keyId, bodyId)));
  }

  async read(keyId: string, after: number, limit: number): Promise<Event[]> {
    this.reads += 1;
    const events = this.#of(keyId).events.filter(({ seq }) => seq > after);
    await this.duringRead();
    return events.slice(0, limit).map(({ at: _, ...event }) => event);
  }

  async readWithin(keyId: string, after: number, { events: limit, bytes }: ReadBudget) {
    const found = await this.read(keyId, after, limit);
    let size = 0;
    const fits = ({ data }: Event, at: number) => {
      size += JSON.stringify(data).length;
      return at === 0 || size <= bytes;
    };
    const end = found.findIndex((event, at) => !fits(event, at));
    const events = (end < 0 ? found : found.slice(0, end)).map(written);
    return { events, more: end >= 0 || events.length === limit };
  }

  async bounds(keyId: string): Promise<Bounds> {
    const { events, latest } = this.#of(keyId);
    return { oldest: events[0]?.seq ?? (latest && latest + 1), latest };
  }

  async positionAt(keyId: string, since: Date): Promise<number> {
    const { events } = this.#of(keyId);
    return events.findLast(({ at }) => at < since.getTime())?.seq ?? 0;
  }

  async grownLast(limit: number): Promise<string[]> {
    const at = (keyId: string) => this.#of(keyId).events.at(-1)?.at ?? 0;
    const keyIds = [...this.#logs.keys()].sort((one, other) => at(other) - at(one));
    return keyIds.slice(0, limit);
  }

  onAppended(listener: (keyIds: string[]) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  async prune(): Promise<number> {
    return 0;
  }

  async drop(keyId: string): Promise<void> {
    this.#logs.delete(keyId);
  }

  async erase({ isOne }: EventsToErase): Promise<{ found: number; next: string | null }> {
    const found = [...this.#logs.values()].flatMap(({ events }) => events.filter(({ data }) => isOne(data)));
    for (const event of found) Object.assign(event, { type: "event.erased", data: { source: null } });
    return { found: found.length, next: null };
  }

  /** Lets everything before a position expire. */
  expireBefore(keyId: string, seq: number): void {
    const log = this.#of(keyId);
    log.events = log.events.filter(event => event.seq >= seq);
  }

  #of(keyId: string) {
    const log = this.#logs.get(keyId) ?? { events: [], latest: 0 };
    this.#logs.set(keyId, log);
    return log;
  }

  #add(keyId: string, { bodyId, type, timestamp, data }: NewEvent): boolean {
    const log = this.#of(keyId);
    const id = `evt_${bodyId}`;
    if (log.events.some(event => event.id === id)) return false;
    log.latest += 1;
    log.events.push({ id, type, timestamp, seq: log.latest, data, at: Date.now() });
    return true;
  }
}

function written(event: Event): WrittenEvent {
  const { seq, id, type, timestamp, data } = event;
  const sourceId = data.source?.id ?? null;
  return { seq, id, type, timestamp, conversation: sourceId, sourceId, json: JSON.stringify(event) };
}

/** `count` events for one key, told apart by their numbers from `from` on. */
export function someEvents(keyId: string, from: number, count: number, text = ""): NewEvent[] {
  return Array.from({ length: count }, (_, at) => ({
    bodyId: `${keyId}-${from + at}`,
    type: "rss.item.created",
    timestamp: "2026-01-01T00:00:00.000Z",
    data: { source: null, item: { id: `${from + at}`, content_text: text } },
    keyIds: [keyId],
  }));
}
