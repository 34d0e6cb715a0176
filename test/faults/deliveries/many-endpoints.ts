import type { Random } from "../random.ts";
import type { Feeds, Item } from "./feeds.ts";
import type { Oracle } from "./oracle.ts";
import { kindOf, mannerOf, promisedTo } from "./plan-receivers.ts";
import type { Receivers } from "./receivers.ts";

const endpointCount = 20;
/** Feeds that the key tracks, of which each endpoint wants a few. */
const trackedCount = 8;
/** Numbers of receivers from which on they are those of this key; no other key has as many. */
const firstNumber = 999;

interface Endpoint {
  /** By which the receivers and the oracle know it. */
  number: number;
  id: string;
  /** What its filter lets pass. */
  feeds: Set<number>;
}

/** Asks as a key, or as an administrator without one. */
type Ask = (key: string | null, method: string, path: string, body?: object) => Promise<unknown>;

/** One key with twenty endpoints, each with another filter. */
export class ManyEndpoints {
  readonly #ask: Ask;
  readonly #key: string;
  readonly #endpoints: Endpoint[] = [];
  #edited = "";

  private constructor(ask: Ask, key: string) {
    this.#ask = ask;
    this.#key = key;
  }

  static async register(
    ask: Ask,
    feeds: Feeds,
    receivers: Receivers,
    random: Random,
  ): Promise<ManyEndpoints> {
    const limits = { requestsPerMinute: 1_000_000 };
    const made = await ask(null, "POST", "/internal/keys", { owner: "owner-of-many", name: "n", limits });
    const { key } = (made as { data: { key: string } }).data;
    const many = new ManyEndpoints(ask, key);
    const sources = await many.#track(feeds, random);
    many.#edited = await many.#trackOne(feeds.editedUrl, editedTag);
    for (let n = 0; n < endpointCount; n += 1) await many.#add(n, sources, receivers, random);
    return many;
  }

  /** An item was posted: it is due at the endpoints that want its feed. */
  expect(oracle: Oracle, item: Item): void {
    for (const { number, feeds } of this.#endpoints) if (feeds.has(item.feed)) oracle.expect(number, item);
  }

  /** Starts those again that have failed. */
  async startAgain(): Promise<void> {
    for (const { id } of this.#endpoints) await this.#as("PATCH", `/webhooks/${id}`, {});
  }

  /** Tells the oracle what the service lists as dead, at most a page of each endpoint that is asked about. */
  async noteSetAside(oracle: Oracle, isAsked: (number: number) => boolean): Promise<void> {
    for (const { id, number } of this.#endpoints.filter(each => isAsked(each.number))) {
      const list = await this.#as("GET", `/webhooks/${id}/deliveries?status=dead&limit=100`);
      for (const { event_id } of (list as { data: { event_id: string }[] }).data)
        oracle.setAside(number, event_id);
    }
  }

  /** A sentence where nothing happened that filters by type leave out. */
  async untested(): Promise<string[]> {
    const { data } = (await this.#as("GET", "/events?type=rss.item.updated&limit=1")) as { data: object[] };
    return data.length > 0 ? [] : ["no event was there for filters by type to leave out"];
  }

  /** Sentences on endpoints that are FAILED and were promised that they would not be. */
  async wronglyFailed(): Promise<string[]> {
    const { data } = (await this.#as("GET", "/webhooks")) as { data: { id: string; status: string }[] };
    const failed = new Set(data.filter(({ status }) => status === "FAILED").map(({ id }) => id));
    return this.#endpoints
      .filter(({ id, number }) => failed.has(id) && promisedTo(number).staysActive)
      .map(({ number }) => `the endpoint ${number} (${kindOf(number)}) of many is FAILED`);
  }

  /** Tracks some feeds, each under a tag of its own. Resolves with the ids of the sources by feed. */
  async #track(feeds: Feeds, random: Random): Promise<Map<number, string>> {
    const sources = new Map<number, string>();
    while (sources.size < trackedCount) {
      const feed = Math.floor(random() * feeds.counts.length);
      if (sources.has(feed)) continue;
      sources.set(feed, await this.#trackOne(feeds.url(feed), tagOf(feed)));
    }
    return sources;
  }

  async #trackOne(sid: string, tag: string): Promise<string> {
    const answer = await this.#as("POST", "/track/rss", { sid, options: { tags: [tag] } });
    return (answer as { data: { id: string } }).data.id;
  }

  async #add(n: number, sources: Map<number, string>, receivers: Receivers, random: Random): Promise<void> {
    const number = numberOf(n);
    const feeds = new Set<number>();
    const all = [...sources.keys()];
    while (feeds.size < 1 + (n % 4)) feeds.add(all[Math.floor(random() * all.length)] ?? 0);
    // Every second one names the edited feed too, whose events its types leave out.
    const isByType = n % 2 === 0;
    const tags = [...[...feeds].map(tagOf), ...(isByType ? [editedTag] : [])];
    const ids = [...[...feeds].map(feed => sources.get(feed) ?? ""), ...(isByType ? [this.#edited] : [])];
    const made = await this.#as("POST", "/webhooks", {
      url: receivers.url(number),
      ...mannerOf(number),
      ...(n % 3 === 0 ? { tags } : { sources: ids }),
      ...(isByType && { event_types: ["rss.item.created"] }),
    });
    const { id, secret } = (made as { data: { id: string; secret: string } }).data;
    receivers.expectSecret(number, secret);
    receivers.expectOnlyItems(number);
    this.#endpoints.push({ number, id, feeds });
  }

  #as(method: string, path: string, body?: object): Promise<unknown> {
    return this.#ask(this.#key, method, path, body);
  }
}

const editedTag = "edited";

function tagOf(feed: number): string {
  return `feed-${feed}`;
}

/** Numbers of modes that promise an order, of every kind. */
function numberOf(n: number): number {
  return firstNumber + 3 * Math.floor(n / 2) + (n % 2) * 2;
}
