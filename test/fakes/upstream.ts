import type { ServiceSchema } from "moleculer";
import { actions, handle } from "../../services/contracts/action.ts";
import {
  type PollResult,
  type Post,
  pollSource,
  type ResolvedSource,
  resolveSource,
} from "../../services/contracts/connectors.contract.ts";
import { fail } from "../../services/contracts/errors.ts";

/** A platform with sources whose items are numbered from 1; a source is made by the first mention of its address. */
export class Upstream {
  /** Items by address. */
  readonly items = new Map<string, number>();
  /** What the next polls of an address answer instead. */
  readonly problems = new Map<string, Partial<Extract<PollResult, { ok: false }>> | Error>();
  /** What an address says about itself besides its items. */
  readonly facts = new Map<string, { name?: string; externalId?: string }>();
  /** Addresses of which no known item is left, at the next poll. */
  readonly gaps = new Set<string>();
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
    return { externalId: sid, username: hostname, name, kind, state: { seen: this.items.get(sid) ?? 0 } };
  }

  poll(externalId: string, state: Record<string, unknown>): PollResult {
    this.polled.push(externalId);
    const problem = this.problems.get(externalId);
    if (problem instanceof Error) throw problem;
    if (problem) return { ok: false, reason: "It is broken.", gone: false, state, ...problem };
    const seen = Number(state.seen);
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
