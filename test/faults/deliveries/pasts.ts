import { setTimeout as delay } from "node:timers/promises";
import type { Event } from "../../../services/contracts/events.ts";
import type { Random } from "../random.ts";
import { type ChangingSite, type Subject, startChangingSite } from "./changing-site.ts";
import { Puller } from "./puller.ts";

/** Asks as a key, or as an administrator without one. */
type Ask = (key: string | null, method: string, path: string, body?: object) => Promise<unknown>;

/** An event of a change, as far as it is judged. */
interface Told {
  id: string;
  sourceId: string;
  version: string;
  previous: string | null;
  added: string[];
}

interface Row {
  id: string;
  event_id: string | null;
}

/** So many requests see a line before the next one replaces it: what differs in three of four checks is noise. */
const restingChecks = 4;
const againMs = 200;
const answerMs = 30_000;
const readMs = 120_000;

/**
 * One key that tracks pages and items that change, each as soon as its last change was told. At the end every event must
 * have its version, and every state must have been told.
 */
export class Pasts {
  readonly #site: ChangingSite;
  readonly #key: string;
  readonly #address: () => string;
  readonly #random: Random;
  readonly #reader: Puller;
  readonly #sources = new Map<Subject, string>();
  /** By subject, in the order of its states from the second one on. */
  readonly #told = new Map<Subject, Told[]>();
  readonly #wrong: string[] = [];
  #isEnding = false;
  #read = 0;

  private constructor(site: ChangingSite, key: string, address: () => string, random: Random) {
    this.#site = site;
    this.#key = key;
    this.#address = address;
    this.#random = random;
    this.#reader = new Puller(key, address);
    this.#reader.heard = event => this.#hear(event);
  }

  static async begin(ask: Ask, address: () => string, random: Random): Promise<Pasts> {
    const limits = { requestsPerMinute: 1_000_000 };
    const made = await ask(null, "POST", "/internal/keys", { owner: "owner-of-pasts", name: "n", limits });
    const { key } = (made as { data: { key: string } }).data;
    const site = await startChangingSite();
    const pasts = new Pasts(site, key, address, random);
    for (const subject of site.subjects) {
      const path = subject.manner === "item" ? "/track/rss" : "/track/web";
      const answer = await ask(key, "POST", path, { sid: site.url(subject) });
      pasts.#sources.set(subject, (answer as { data: { id: string } }).data.id);
      pasts.#told.set(subject, []);
    }
    void pasts.#changeAll();
    return pasts;
  }

  /** In figures, after `judge`. */
  get figures(): string {
    const states = this.#site.subjects.reduce((sum, { said }) => sum + said.length, 0);
    const told = [...this.#told.values()].reduce((sum, { length }) => sum + length, 0);
    return `${states} states of ${this.#site.subjects.length} pages and items, ${told} changes told, ${this.#read} versions read`;
  }

  /** Nothing changes any more, and what the subjects say was told; or the time is over. */
  async settle(deadline: number): Promise<void> {
    this.#isEnding = true;
    while (Date.now() < deadline && this.#site.subjects.some(each => !this.#isTold(each)))
      await delay(againMs);
  }

  /** Sentences on what is lost. */
  async judge(): Promise<string[]> {
    const wrong = [...this.#wrong];
    for (const subject of this.#site.subjects) wrong.push(...(await this.#judge(subject)));
    return wrong;
  }

  async close(): Promise<void> {
    this.#isEnding = true;
    this.#reader.close();
    await this.#site.close();
  }

  async #changeAll(): Promise<void> {
    for (; !this.#isEnding; await delay(againMs))
      for (const subject of this.#site.subjects)
        if (this.#isTold(subject) && this.#hasRested(subject) && this.#random() < 0.5)
          this.#site.change(subject);
  }

  #isTold(subject: Subject): boolean {
    return (this.#told.get(subject)?.length ?? 0) >= subject.said.length - 1;
  }

  #hasRested({ manner, served, said }: Subject): boolean {
    // The first two checks of a page learn what of it stays.
    return served >= (manner === "line" || said.length === 1 ? restingChecks : 1);
  }

  #hear({ id, type, data }: Event): void {
    if (type !== "web.page.changed" && type !== "rss.item.updated") return;
    const { version, previous_version: previous, change } = data as unknown as Record<string, unknown>;
    const { added = [] } = Object(change) as { added?: string[] };
    const text = added.join("\n");
    const subject = this.#site.subjects.find(({ name }) => text.includes(`at ${name} carries`));
    if (!subject || typeof version !== "string") {
      const said = JSON.stringify({ version, previous, change }).slice(0, 300);
      this.#wrong.push(`${type} ${id} has no version, or adds nothing that was said: ${said}`);
      return;
    }
    const sourceId = this.#sources.get(subject) ?? "";
    const told = this.#told.get(subject) ?? [];
    told.push({ id, sourceId, version, previous: (previous ?? null) as string | null, added });
    const said = subject.said[told.length];
    if (said === undefined || !text.includes(said))
      this.#wrong.push(`${subject.name}: ${id} is its event ${told.length} and adds ${text.slice(0, 200)}`);
  }

  async #judge(subject: Subject): Promise<string[]> {
    const { name, said } = subject;
    const told = this.#told.get(subject) ?? [];
    const rows = await this.#versionsOf(this.#sources.get(subject) ?? "");
    const wrong =
      told.length === said.length - 1
        ? []
        : [`${name}: ${told.length} of ${said.length - 1} changes were told`];
    if (said.length === 1) wrong.push(`${name}: it never changed`);
    for (const [n, event] of told.entries()) {
      const [before = "", now = ""] = [said[n], said[n + 1]];
      const text = await this.#textOf(event.sourceId, event.version);
      if (text === null) wrong.push(`${name}: version ${event.version} of ${event.id} is lost`);
      else if (!text.includes(now) || event.added.some(line => !text.includes(line)))
        wrong.push(`${name}: version ${event.version} does not say what ${event.id} says`);
      const former = event.previous === null ? null : await this.#textOf(event.sourceId, event.previous);
      if (!former?.includes(before) || former.includes(now))
        wrong.push(`${name}: version ${event.previous} before ${event.id} is not what it said before`);
      if (n > 0 && event.previous !== told[n - 1]?.version)
        wrong.push(`${name}: ${event.id} does not follow the event before it`);
      if (rows.get(event.version)?.event_id !== event.id)
        wrong.push(`${name}: version ${event.version} is not listed with ${event.id}`);
    }
    return wrong;
  }

  async #versionsOf(sourceId: string): Promise<Map<string, Row>> {
    const rows = new Map<string, Row>();
    for (let cursor: string | null | undefined; cursor !== null; ) {
      const more: string = cursor === undefined ? "" : `&cursor=${cursor}`;
      const page = await this.#get<{ data: Row[]; next_cursor: string | null }>(
        `/sources/${sourceId}/versions?all=true&limit=100${more}`,
      );
      for (const row of page?.data ?? []) rows.set(row.id, row);
      cursor = page?.next_cursor ?? null;
    }
    return rows;
  }

  /** Null where there is no such version. */
  async #textOf(sourceId: string, version: string): Promise<string | null> {
    const found = await this.#get<{ data: { text: string } }>(`/sources/${sourceId}/versions/${version}`);
    this.#read += 1;
    return found?.data.text ?? null;
  }

  /** Asks again while no answer comes, or one that passes. Null for a 404. */
  async #get<Body>(path: string): Promise<Body | null> {
    for (const giveUpAt = Date.now() + readMs; ; ) {
      const answer = await fetch(this.#address() + path, {
        headers: { "x-api-key": this.#key },
        signal: AbortSignal.timeout(answerMs),
      }).catch(() => undefined);
      if (answer?.status === 404) return null;
      if (answer?.ok) return (await answer.json()) as Body;
      if (Date.now() > giveUpAt) throw new Error(`GET ${path}: ${answer?.status ?? "no answer"}`);
      await delay(againMs);
    }
  }
}
