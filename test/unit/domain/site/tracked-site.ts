import { isDeepStrictEqual } from "node:util";
import type { SiteChange } from "../../../../services/contracts/site-events.ts";
import type { PageVisit } from "../../../../services/domain/site/page-visit.ts";
import { noteVisit, sortLines } from "../../../../services/domain/site/shared-lines.ts";
import {
  beginRound,
  firstSiteMemory,
  type SiteMemory,
} from "../../../../services/domain/site/site-memory.ts";
import { siteNews } from "../../../../services/domain/site/site-news.ts";
import { renewedSample } from "../../../../services/domain/site/witnesses.ts";
import { judge, type Memory, type WatchChange } from "../../../../services/domain/watch/judge.ts";
import type { Line } from "../../../../services/domain/watch/line.ts";
import { seen } from "../watch/watched-lines.ts";

/** A page: its address, and what it shows now. */
export interface ModelPage {
  path: string;
  lines: () => Line[];
}

export interface ToldPage {
  path: string;
  change: WatchChange;
}

interface Waiting {
  page: ModelPage;
  visit: PageVisit;
  lines: Line[];
}

const [secondMs, hourMs] = [1000, 3_600_000];

/** A site whose pages are given as lines, visited as steps of a poll do, by a clock of its own. */
export class TrackedSite {
  readonly told: ToldPage[] = [];
  readonly site: SiteChange[] = [];
  readonly ids: string[] = [];
  visits = 0;
  memory: SiteMemory;
  at = Date.UTC(2026, 10, 27);
  readonly pages: ModelPage[];
  private readonly known = new Map<string, { memory: Memory; at: number }>();
  private readonly again = new Set<ModelPage>();

  constructor(pages: ModelPage[]) {
    this.pages = pages;
    this.memory = firstSiteMemory(this.at);
    for (const page of pages) this.visit(page);
    const paths = pages.map(({ path }) => path);
    this.memory = {
      ...this.memory,
      baselineAt: this.at,
      sample: renewedSample(this.memory, () => false, paths),
    };
  }

  /** A round, an hour after the one before: the sample and these pages, and what is wanted again. */
  round(pages: readonly ModelPage[] = this.pages): void {
    this.at += hourMs;
    this.memory = beginRound(this.memory, this.at);
    const sample = this.pages.filter(({ path }) => this.memory.sample.includes(path));
    this.step(new Set([...sample, ...pages]));
    for (let times = 0; times < 6 && this.again.size > 0; times += 1) {
      const wanted = new Set(this.again);
      this.again.clear();
      this.at += 31 * secondMs;
      this.step(wanted);
    }
    // As it is stored: the memory is JSON.
    const stored = JSON.parse(JSON.stringify(this.memory)) as SiteMemory;
    if (!isDeepStrictEqual(stored, this.memory)) throw new Error("the memory is no JSON");
  }

  private step(pages: ReadonlySet<ModelPage>): void {
    const waiting: Waiting[] = [];
    for (const page of pages) {
      if ((this.known.get(page.path)?.at ?? 0) >= this.at && !waiting.some(each => each.page === page))
        continue;
      this.take(page, waiting);
      this.settle(waiting);
    }
  }

  private take(page: ModelPage, waiting: Waiting[]): void {
    const found = this.visit(page);
    if (found) waiting.push(found);
  }

  /** Decides what can be decided; looks at neighbours of what cannot. */
  private settle(waiting: Waiting[]): void {
    for (;;) {
      this.tellSite(waiting);
      const open = waiting.map(each => ({ each, sorted: this.sorted(each) }));
      waiting.length = 0;
      const looks: ModelPage[] = [];
      for (const { each, sorted } of open) {
        const isOpen = sorted.undecided.came.length + sorted.undecided.gone.length > 0;
        if (!isOpen) {
          this.tell(each, sorted.passed);
          continue;
        }
        const near = sorted.look === 0 ? [] : this.near(each, sorted.look);
        if (sorted.again) this.again.add(each.page);
        else if (near.length === 0) this.tell(each, this.sorted(each, true).passed);
        else {
          waiting.push(each);
          looks.push(...near);
        }
      }
      if (waiting.length === 0) return;
      for (const page of new Set(looks)) this.take(page, waiting);
    }
  }

  private sorted({ visit }: Waiting, isLast = false) {
    return sortLines(this.memory, visit, { pages: this.pages.length, isLast });
  }

  /** Neighbours in the order of addresses that were not visited since. */
  private near({ page, visit }: Waiting, count: number): ModelPage[] {
    const at = this.pages.indexOf(page);
    return this.pages
      .filter(
        other =>
          other !== page &&
          (this.known.get(other.path)?.at ?? 0) < visit.at &&
          !this.isLooked(other, visit.at),
      )
      .sort((a, b) => Math.abs(this.pages.indexOf(a) - at) - Math.abs(this.pages.indexOf(b) - at))
      .slice(0, count);
  }

  private readonly looks = new Map<string, number>();
  private isLooked({ path }: ModelPage, since: number): boolean {
    return (this.looks.get(path) ?? 0) >= since;
  }

  private visit(page: ModelPage): Waiting | undefined {
    this.visits += 1;
    this.at += 10;
    const { at } = this;
    const before = this.known.get(page.path);
    const lines = page.lines();
    const verdict = judge(before?.memory, seen(lines), {}, at);
    this.looks.set(page.path, at);
    if (before === undefined) {
      this.keep(page, verdict.memory, at);
      return undefined;
    }
    const visit: PageVisit = {
      ...{ key: page.path, url: `https://site.example${page.path}`, at, before: before.at },
      found: verdict.lines ? "changed" : "same",
      ...(verdict.lines && { lines: verdict.lines }),
    };
    this.memory = noteVisit(this.memory, visit);
    if (verdict.lines) return { page, visit, lines };
    this.keep(page, verdict.memory, at);
    return undefined;
  }

  private keep({ path }: ModelPage, memory: Memory, at: number): void {
    this.known.set(path, { memory: JSON.parse(JSON.stringify(memory)) as Memory, at });
  }

  private tellSite(waiting: readonly Waiting[]): void {
    const visits = waiting.map(({ visit }) => visit);
    const { memory, news } = siteNews(this.memory, visits, { pages: this.pages.length, at: this.at });
    this.memory = memory;
    this.site.push(...news.map(({ change }) => change));
    this.ids.push(...news.map(({ id }) => id));
  }

  private tell({ page, visit, lines }: Waiting, passed: readonly string[]): void {
    const before = this.known.get(page.path)?.memory;
    const verdict = judge(before, seen(lines), {}, visit.at, new Set(passed));
    this.keep(page, verdict.memory, visit.at);
    if (verdict.change) this.told.push({ path: page.path, change: verdict.change });
    if (verdict.confirm && verdict.outcome === "held") this.again.add(page);
  }
}
