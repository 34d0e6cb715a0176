import type { SettledPage } from "../../../mixins/site-pages/site-pages.ts";
import type { CheckedVersion, Post } from "../../contracts/connectors.contract.ts";
import type { RoundCounts } from "../../domain/site/site-memory.ts";
import type { ConnectorTools } from "../connector.ts";
import type { Followed } from "./follow-leads.ts";
import { packPageMemory } from "./page-memory.ts";
import type { StoredNews } from "./site-news.ts";
import { dueAfterLimit } from "./site-reach.ts";
import { aroundMemory } from "./site-visit.ts";
import type { Visited } from "./visit-record.ts";

/** A visit of which it is known what it means; or that it cannot be known yet. */
export interface Decided extends Visited {
  /** What it shows is to be seen once more, after so many milliseconds, before anything is made of it. */
  holdMs?: number;
  /** The time of the step was over. */
  isLate?: boolean;
  /** Where it ends that the page leads to another one. */
  lead?: Followed;
  /** When the visits began together with which it is decided (ms). */
  since?: number;
}

/** What one visit leaves: pages to be written, the page itself first. */
export interface Left {
  pages: SettledPage[];
  counted: (keyof RoundCounts)[];
  /** Pages that are to be visited now. */
  due?: string[];
}

const dayMs = 24 * 60 * 60 * 1000;

/** The page is as it was before this visit, and is visited again. */
export function held({ row, at, isLate = false }: Decided, holdMs: number): Left {
  const { page, memory } = row;
  const { news: _, ...kept } = page;
  const waits = isLate ? { waits: (memory.waits ?? 0) + 1 } : {};
  const packed = packPageMemory({ ...memory, ...waits }, aroundMemory(row));
  const visitedAt = page.state === "new" ? {} : { visitedAt: at };
  return { pages: [{ ...kept, ...visitedAt, dueAt: at + holdMs, memory: packed }], counted: ["visited"] };
}

export function failed({ row, at, sight }: Visited, { minIntervalMs }: ConnectorTools): Left {
  const { member, page, memory } = row;
  const { news: _, ...kept } = page;
  const failures = (memory.failures ?? 0) + 1;
  const waitMs = Math.min(dayMs, minIntervalMs * 2 ** Math.min(failures + 1, 30));
  member.step.failed += 1;
  const isLimit = sight.kind === "failed" && sight.limit !== undefined;
  const dueAt = (isLimit ? dueAfterLimit(member, failures, at) : undefined) ?? at + waitMs;
  return {
    pages: [
      {
        ...kept,
        visitedAt: at,
        dueAt,
        memory: packPageMemory({ ...memory, failures }, aroundMemory(row)),
      },
    ],
    counted: ["visited", "failed"],
  };
}

export function newsOf(post: Post | undefined, version: CheckedVersion | undefined): string {
  return JSON.stringify({ ...(post && { post }), ...(version && { version }) } satisfies StoredNews);
}
