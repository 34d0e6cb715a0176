import { createHash } from "node:crypto";
import { zstdCompressSync } from "node:zlib";
import type { ServiceSchema } from "moleculer";
import { actions, handle } from "../../services/contracts/action.ts";
import {
  type Checked,
  type CheckedVersion,
  type PollResult,
  type Post,
  pollSource,
  type ResolvedSource,
  resolveSource,
} from "../../services/contracts/connectors.contract.ts";
import { fail } from "../../services/contracts/errors.ts";

/** A platform with sources whose items are numbered from 1; a source is made by the first mention of its address. */
export class Upstream {
  /** Pages by address, and how often each has changed: what it says is that number. */
  readonly pages = new Map<string, number>();
  /** Items by address. */
  readonly items = new Map<string, number>();
  /** What the next polls of an address answer instead. */
  readonly problems = new Map<string, Partial<Extract<PollResult, { ok: false }>> | Error>();
  /** What an address says about itself besides its items. */
  readonly facts = new Map<string, { name?: string; externalId?: string }>();
  /** Addresses of which no known item is left, at the next poll. */
  readonly gaps = new Set<string>();
  /** Pages whose changes the next poll holds, for the one after it to confirm. */
  readonly held = new Set<string>();
  /** Addresses that were asked for, in order. */
  readonly resolved: string[] = [];
  readonly polled: string[] = [];
  nextInMs = 60_000;
  /** What it wants to remember of each source besides. */
  memory: Record<string, unknown> = {};
  /** At most this many items come with one poll. */
  pageSize = 1000;

  resolve(kind: ResolvedSource["kind"], sid: string): ResolvedSource {
    this.resolved.push(sid);
    if (sid.includes("unknown")) throw fail("not_found", "There is no such source.");
    const hostname = sid.split("/")[2] ?? sid;
    // A page with a feed is tracked as that feed.
    if (kind === "web" && sid.endsWith("/blog")) return this.resolve("rss", `${sid}/feed`);
    const name = `Name of ${hostname}`;
    const page = this.pages.get(sid);
    if (page !== undefined)
      return {
        ...{ externalId: sid, username: hostname, name, kind },
        state: { seen: page },
        check: pageCheck(page, true),
      };
    return { externalId: sid, username: hostname, name, kind, state: { seen: this.items.get(sid) ?? 0 } };
  }

  poll(externalId: string, state: Record<string, unknown>): PollResult {
    this.polled.push(externalId);
    const problem = this.problems.get(externalId);
    if (problem instanceof Error) throw problem;
    if (problem) return { ok: false, reason: "It is broken.", gone: false, state, ...problem };
    const seen = Number(state.seen);
    const page = this.pages.get(externalId);
    if (page !== undefined && page > seen && this.held.has(externalId) && state.held !== page) {
      const check = { ...pageCheck(page, true), outcome: "held" as const, reason: "It waits." };
      return {
        ok: true,
        posts: [],
        state: { seen, held: page, ...this.memory },
        nextInMs: this.nextInMs,
        check,
      };
    }
    if (page !== undefined) {
      const isConfirmed = state.held === page;
      const posts = page > seen ? [pageChange(page)] : [];
      const { version, ...said } = pageCheck(page, page > seen);
      const against = page > seen && { against: checkedVersion(`<p>${seen}</p>`).hash };
      const seenAs = version && (isConfirmed ? { keptAs: version.hash } : { version });
      const check = { ...said, ...seenAs, ...against };
      return { ok: true, posts, state: { seen: page, ...this.memory }, nextInMs: this.nextInMs, check };
    }
    const last = Math.min(this.items.get(externalId) ?? 0, seen + this.pageSize);
    const posts = Array.from({ length: Math.max(last - seen, 0) }, (_, n) => post(seen + n + 1));
    const source = this.facts.get(externalId);
    const next = { seen: seen + posts.length, ...this.memory };
    const more = last < (this.items.get(externalId) ?? 0);
    const gap = this.gaps.delete(externalId) && { from: null, until: null, items: posts.length, pages: 0 };
    const facts = { ...(more && { more }), ...(gap && { gap }) };
    return { ok: true, posts, state: next, nextInMs: this.nextInMs, source, ...facts };
  }

  publish(externalId: string, count = 1): void {
    this.items.set(externalId, (this.items.get(externalId) ?? 0) + count);
  }
}

function pageChange(n: number): Post {
  return { postId: "page", revision: String(n), type: "web.page.changed", data: { change: { n } } };
}

/** What a check of a page that has changed so often saw. */
function pageCheck(n: number, isNew: boolean): Checked {
  const seen = {
    outcome: isNew ? ("changed" as const) : ("same" as const),
    reason: `It says ${n}.`,
    tookMs: 1,
  };
  return { ...seen, values: { value: n }, ...(isNew && { version: checkedVersion(`<p>${n}</p>`) }) };
}

/** A version as a connector gives it to the tracker. */
export function checkedVersion(said: string, item?: string): CheckedVersion {
  const hash = createHash("sha256").update(said).digest("hex");
  const content = zstdCompressSync(said).toString("base64");
  return { title: said, hash, content, words: said, ...(item !== undefined && { item }) };
}

function post(n: number): Post {
  return { postId: String(n), revision: "1", type: "rss.item.created", data: { item: { n } } };
}

/** The platform as the service that the tracker calls. */
export function upstreamService(upstream: Upstream): ServiceSchema {
  return {
    name: "connectors",
    actions: actions(
      handle(resolveSource, "public", ({ params }) => upstream.resolve(params.kind, params.sid)),
      handle(pollSource, "public", ({ params }) => upstream.poll(params.externalId, params.state)),
    ),
  };
}
