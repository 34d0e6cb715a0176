import { sleepUntilAborted } from "../../../mixins/async/sleep.ts";
import { logEvent } from "../../../mixins/log/log-events.ts";
import { feedFormats } from "../../contracts/feeds.contract.ts";
import type { Answer } from "../sending/send.ts";
import type { StoredFeed } from "./feeds.store.ts";
import type { FeedContext } from "./feeds.ts";
import { feedUrl, wants } from "./read-feed.ts";

export interface HubPingOptions extends Pick<FeedContext, "feeds" | "vault" | "log" | "tagged"> {
  hub: string;
  /** Where hubs reach the gateway. */
  publicUrl: string;
  post(url: URL, form: string): Promise<Answer>;
  /** Whether this node does the work for a key: one node pings the hub. */
  works(keyId: string): boolean;
  logger: { warn(...line: unknown[]): void };
  /** Milliseconds for which events are collected before the hub gets a ping. */
  collectMs?: number;
  /** Milliseconds before each further try. */
  pausesMs?: readonly number[];
}

const collectMs = 5_000;
const pausesMs = [5_000, 30_000, 120_000];
/** How many events before the newest are read when a key's position is not known yet. */
const eventsBack = 20;
const portion = { events: 500, bytes: 1024 * 1024 };
const mostKeys = 10_000;

/**
 * Pings the WebSub hub with the feeds that have news (the `publish` of PubSubHubbub 0.4, 7.1, which W3C WebSub leaves to hubs).
 * Pings are hints and in no store: one that is lost is made up for by the next event, and by readers that poll.
 */
export class HubPings {
  readonly #options: HubPingOptions;
  readonly #ending = new AbortController();
  /** The keys of this installation that have feeds; undefined before they were read. */
  #withFeeds: Promise<Set<string>> | undefined;
  /** The position up to which each key's log was read. */
  readonly #positions = new Map<string, number>();
  readonly #waiting = new Set<string>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: HubPingOptions) {
    this.#options = options;
  }

  /** The logs of these keys have grown. */
  appended(keyIds: readonly string[]): void {
    for (const keyId of keyIds)
      if (!this.#waiting.has(keyId) && this.#options.works(keyId) && !this.#ending.signal.aborted) {
        this.#waiting.add(keyId);
        this.#track(this.#collect(keyId));
      }
  }

  /** Feeds were made or removed, here or on another node. */
  changed(): void {
    this.#withFeeds = undefined;
  }

  async close(): Promise<void> {
    this.#ending.abort();
    await Promise.all(this.#running);
  }

  #track(running: Promise<void>): void {
    this.#running.add(running);
    void running.finally(() => this.#running.delete(running));
  }

  async #collect(keyId: string): Promise<void> {
    const { signal } = this.#ending;
    try {
      const hasFeeds = (await this.#keysWithFeeds()).has(keyId);
      if (hasFeeds) await sleepUntilAborted(this.#options.collectMs ?? collectMs, signal);
      // An event that is appended after this begins another round.
      this.#waiting.delete(keyId);
      if (!hasFeeds || signal.aborted) return;
      for (const feed of await this.#withNews(keyId)) this.#track(this.#ping(feed));
    } catch (error) {
      this.#waiting.delete(keyId);
      logEvent(this.#options.logger, "feed_ping.failed", { keyId, error });
    }
  }

  #keysWithFeeds(): Promise<Set<string>> {
    this.#withFeeds ??= this.#readKeys();
    const asked = this.#withFeeds;
    asked.catch(() => {
      if (this.#withFeeds === asked) this.#withFeeds = undefined;
    });
    return asked;
  }

  async #readKeys(): Promise<Set<string>> {
    return new Set((await this.#options.feeds.valuesOf(["keyId"], {})).map(([keyId]) => String(keyId)));
  }

  /** The feeds of a key that want one of the events since the last check. */
  async #withNews(keyId: string): Promise<StoredFeed[]> {
    const { feeds, log, tagged } = this.#options;
    const all = await feeds.find({ query: { keyId } });
    const { latest } = await log.bounds(keyId);
    let position = this.#positions.get(keyId) ?? Math.max(0, latest - eventsBack);
    const withNews = new Set<StoredFeed>();
    while (position < latest) {
      const { events } = await log.readWithin(keyId, position, portion);
      for (const feed of all) {
        const ofTags = feed.tags.length > 0 ? await tagged.of(keyId, feed.tags) : undefined;
        if (events.some(event => wants(feed, event, ofTags))) withNews.add(feed);
      }
      position = events.at(-1)?.seq ?? latest;
    }
    if (this.#positions.size >= mostKeys) this.#positions.clear();
    this.#positions.set(keyId, position);
    return [...withNews];
  }

  /** Tries a few times, then leaves it to the next event. */
  async #ping(feed: StoredFeed): Promise<void> {
    const { hub, publicUrl, vault, post, logger } = this.#options;
    const form = new URLSearchParams({ "hub.mode": "publish" });
    for (const format of feedFormats) form.append("hub.url", feedUrl(publicUrl, vault.reveal(feed), format));
    const pauses = this.#options.pausesMs ?? pausesMs;
    for (let tries = 0; !this.#ending.signal.aborted; tries += 1) {
      const { error, status } = await post(new URL(hub), form.toString());
      if (error === null) return;
      const pauseMs = pauses[tries];
      if (pauseMs === undefined)
        return logEvent(logger, "feed_ping.failed", { feed: feed._id, hub, error, status });
      await sleepUntilAborted(pauseMs, this.#ending.signal);
    }
  }
}
