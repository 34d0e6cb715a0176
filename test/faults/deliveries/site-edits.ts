import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "../../../services/contracts/events.ts";
import { type Expected, together } from "../../support/edited-site/edits.ts";
import { judgeEvents, type SiteEvent } from "../../support/edited-site/judge-events.ts";
import { linkAll } from "../../support/edited-site/link-all.ts";
import { type EditedSite, startEditedSite } from "../../support/edited-site.ts";
import type { Random } from "../random.ts";
import { Puller } from "./puller.ts";

/** Asks as a key, or as an administrator without one. */
type Ask = (key: string | null, method: string, path: string, body?: object) => Promise<unknown>;

const pages = 60;
/** What is done to it at a time: its sitemap says so, which is read once a minute. */
const counts = { edits: 2, added: 1, gone: 2, moves: 3 };
const againMs = 200;
/** So long no page is asked for when the first visits of all have ended. */
const restMs = 3000;

/**
 * One key that tracks a site with pages that change, come, go and move, some at a time: the next ones when all of the last
 * ones were told. At the end every one of these must have been told once, and nothing else.
 */
export class SiteEdits {
  readonly #site: EditedSite;
  readonly #random: Random;
  readonly #reader: Puller;
  /** What was done to the site. */
  readonly #due: Expected[] = [];
  /** By the identity of the event: one that comes again is the same. */
  readonly #told = new Map<string, Event>();
  #isEnding = false;

  private constructor(edited: EditedSite, key: string, address: () => string, random: Random) {
    this.#site = edited;
    this.#random = random;
    this.#reader = new Puller(key, address);
    this.#reader.heard = event => {
      if (event.type.startsWith("site.")) this.#told.set(event.id, event);
    };
  }

  static async begin(ask: Ask, address: () => string, random: Random): Promise<SiteEdits> {
    const limits = { requestsPerMinute: 1_000_000 };
    const made = await ask(null, "POST", "/internal/keys", { owner: "owner-of-a-site", name: "n", limits });
    const { key } = (made as { data: { key: string } }).data;
    const edited = await startEditedSite({ seed: Math.floor(random() * 1e6), pages });
    const edits = new SiteEdits(edited, key, address, random);
    linkAll(edited);
    await ask(key, "POST", "/track/site", { sid: edited.url });
    while (!(await edits.#isRead())) await delay(againMs);
    void edits.#editAll();
    return edits;
  }

  /** In figures. */
  get figures(): string {
    const { added, changed, removed, moved } = together(...this.#due);
    const done = `${changed.length} edits, ${added.length} new, ${removed.length} gone, ${moved.length} moved`;
    return `${this.#site.pages} pages, ${done}, ${this.#due.length} rounds of them, ${this.#told.size} events`;
  }

  /** The site stays as it is, and all of it was told; or the time is over. */
  async settle(deadline: number): Promise<void> {
    this.#isEnding = true;
    while (Date.now() < deadline && !this.#isTold()) await delay(againMs);
  }

  /** Sentences on what is lost, false, or told twice. */
  judge(): string[] {
    const wrong = this.#judged();
    if (this.#due.length === 0) wrong.push("nothing was done to it");
    return wrong.map(text => `the site: ${text}`);
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    this.#reader.close();
    await this.#site.close();
  }

  async #editAll(): Promise<void> {
    for (; !this.#isEnding; await delay(againMs))
      if (this.#isTold()) {
        this.#due.push(this.#site.edit(Math.floor(this.#random() * 1e6), counts));
        linkAll(this.#site);
      }
  }

  /** The first visits of all pages have ended. */
  async #isRead(): Promise<boolean> {
    const { asked, model } = this.#site;
    if (![...model.answers.keys()].every(path => asked.has(path))) return false;
    const { requests } = this.#site.traffic;
    await delay(restMs);
    return this.#site.traffic.requests === requests;
  }

  #isTold(): boolean {
    return !this.#judged().some(text => text.startsWith("missing"));
  }

  #judged(): string[] {
    const events = [...this.#told.values()] as unknown as SiteEvent[];
    return judgeEvents(this.#site, events, together(...this.#due));
  }
}
