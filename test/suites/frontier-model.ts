import type {
  Bounds,
  Candidate,
  Claim,
  Counts,
  Frontier,
  Outcome,
  Settled,
} from "../../mixins/frontier/frontier.ts";
import { fail } from "../../services/contracts/errors.ts";

interface Page extends Claim {
  state: "waiting" | "running" | "ended";
  due: number;
  age: number;
  isResumed: boolean;
}

/** What a frontier does, as plainly as it can be said: one list of pages, searched whole at each step. One crawl. */
export class ModelFrontier implements Frontier {
  #fence: number | null = null;
  #bounds: Bounds = { limit: 0, maxDiscovered: 0 };
  #isFinished = false;
  readonly #pages: Page[] = [];
  readonly #aliases: string[] = [];
  readonly #ended: Settled[] = [];

  async open(_id: string, fence: number, bounds: Bounds): Promise<Counts> {
    if (fence === this.#fence) return this.#counts();
    this.#fence ??= fence;
    this.#check(fence);
    [this.#fence, this.#bounds] = [fence, bounds];
    for (const page of this.#in("running"))
      Object.assign(page, { state: "waiting", due: 0, isResumed: true });
    return this.#counts();
  }

  async offer(_id: string, fence: number, candidates: Candidate[]): Promise<number> {
    this.#check(fence);
    return this.#isFinished ? 0 : candidates.filter(candidate => this.#admit(candidate)).length;
  }

  async take(_id: string, fence: number, count: number, now: number): Promise<Claim[]> {
    this.#check(fence);
    const { completed, failed, running } = this.#counts();
    const room = Math.max(0, this.#bounds.limit - completed - failed - running);
    const taken = this.#in("waiting")
      .filter(({ due }) => due <= now)
      .sort(
        (a, b) =>
          Number(b.isResumed) - Number(a.isResumed) || (a.isResumed ? 0 : a.depth - b.depth) || a.age - b.age,
      )
      .slice(0, Math.min(count, room));
    for (const page of taken) page.state = "running";
    return taken.map(({ state: _state, due: _due, age: _age, isResumed: _isResumed, ...claim }) => claim);
  }

  async postpone(_id: string, fence: number, key: string, until: number, isTry = true): Promise<void> {
    this.#check(fence);
    const page = this.#in("running").find(each => each.key === key);
    const tries = (page?.tries ?? 0) + Number(isTry);
    if (page) Object.assign(page, { state: "waiting", due: until, tries, isResumed: false });
  }

  async settle(
    _id: string,
    fence: number,
    key: string,
    outcome: Outcome,
    links: Candidate[],
  ): Promise<Counts> {
    this.#check(fence);
    const page = this.#in("running").find(each => each.key === key);
    if (!page) return this.#counts();
    this.#end(page, outcome);
    for (const alias of outcome.aliases ?? []) this.#alias(alias);
    for (const link of links) this.#admit(link);
    return this.#counts();
  }

  async nextDue(): Promise<number | null> {
    const dues = this.#in("waiting").map(({ due }) => due);
    return dues.length > 0 ? Math.min(...dues) : null;
  }

  async finish(_id: string, fence: number, reason: string): Promise<Counts> {
    this.#check(fence);
    this.#isFinished = true;
    for (const page of this.#in("running")) this.#end(page, { state: "skipped", reason });
    for (const page of this.#in("waiting")) this.#end(page, { state: "skipped", reason });
    return this.#counts();
  }

  async counts(): Promise<Counts> {
    return this.#counts();
  }

  async settled(): Promise<Settled[]> {
    return this.#ended;
  }

  async drop(): Promise<void> {
    throw new Error("Not modelled");
  }

  #check(fence: number): void {
    if (this.#fence === null || fence < this.#fence) throw fail("conflict", "Too late.");
  }

  #admit(candidate: Candidate): boolean {
    const known = this.#pages.find(({ key }) => key === candidate.key);
    if (known?.state === "waiting" && candidate.depth < known.depth) Object.assign(known, candidate);
    const isFull = this.#pages.length >= this.#bounds.maxDiscovered;
    if (known || isFull || this.#aliases.includes(candidate.key)) return false;
    this.#pages.push({
      ...candidate,
      tries: 0,
      state: "waiting",
      due: 0,
      age: this.#pages.length,
      isResumed: false,
    });
    return true;
  }

  #alias(key: string): void {
    const page = this.#pages.find(each => each.key === key);
    if (!page) this.#aliases.push(key);
    else if (page.state === "waiting") this.#end(page, { state: "skipped", reason: "duplicate" });
  }

  #end(page: Page, { state, reason = null }: { state: Outcome["state"]; reason?: string | null }): void {
    page.state = "ended";
    this.#ended.push({ seq: this.#ended.length + 1, key: page.key, url: page.url, state, reason });
  }

  #in(state: Page["state"]): Page[] {
    return this.#pages.filter(page => page.state === state);
  }

  #counts(): Counts {
    const ended = (state: Outcome["state"]) => this.#ended.filter(each => each.state === state).length;
    return {
      discovered: this.#pages.length,
      queued: this.#in("waiting").length,
      running: this.#in("running").length,
      completed: ended("completed"),
      failed: ended("failed"),
      skipped: ended("skipped"),
    };
  }
}
