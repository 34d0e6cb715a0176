import { appendFileSync, existsSync, readFileSync } from "node:fs";
import type { ServiceSchema } from "moleculer";
import { actions, handle } from "../../services/contracts/action.ts";
import * as platforms from "../../services/contracts/connectors.contract.ts";
import {
  type PollResult,
  type Post,
  pollSource,
  type ResolvedSource,
  resolveSource,
  unfollowSource,
} from "../../services/contracts/connectors.contract.ts";
import { fail, invalid } from "../../services/contracts/errors.ts";
import type { MicroblogProfile } from "../../services/contracts/social.ts";
import type { SourceKind } from "../../services/contracts/source.ts";

type Operation = "resolve" | "poll" | "follow" | "letGo" | "admission" | "requestJoin" | "checkJoin";

/**
 * Social platforms that know every name. The id of `ann` is `id-ann` unless she has moved; her posts are numbered from
 * 1. An invite, `+…`, leads to a gated channel. With a file it remembers what it was asked, whoever dies meanwhile.
 */
export class SocialUpstream {
  /** What it was asked, in order: `follow id-ann`. */
  readonly calls: string[];
  /** Ids by handle, of those that have changed theirs. */
  readonly moved = new Map<string, string>();
  readonly posts = new Map<string, number>();
  /** What an operation throws, or waits for, before it is done. */
  readonly problems = new Map<Operation, () => unknown>();
  /** What the owners of gated channels have decided. */
  readonly decided = new Map<string, platforms.JoinState>();
  /** What the next request to be let in answers. */
  nextAnswer: platforms.JoinState | undefined;
  nextInMs = 60_000;
  readonly #file: string | undefined;

  constructor(file?: string) {
    this.#file = file;
    this.calls = file && existsSync(file) ? readFileSync(file, "utf8").split("\n").slice(0, -1) : [];
  }

  count(call: string): number {
    return this.calls.filter(each => each === call).length;
  }

  /** What is followed now, by the calls that came. */
  followed(): string[] {
    const followed = new Set<string>();
    for (const call of this.calls) {
      const [operation, id = ""] = call.split(" ");
      if (operation === "follow") followed.add(id);
      if (operation === "letGo") followed.delete(id);
    }
    return [...followed];
  }

  async resolve(kind: SourceKind, sid: string): Promise<ResolvedSource> {
    await this.#begin("resolve", sid);
    if (sid.includes("unknown")) throw fail("not_found", "There is no such account.");
    if (sid.includes("?")) throw invalid("sid", "malformed", "That means nothing.");
    const externalId = sid.startsWith("channel:") ? sid : (this.moved.get(sid) ?? `id-${sid}`);
    const state = { cursor: this.posts.get(externalId) ?? 0 };
    const notice =
      sid === "shut" ? { notice: "Somebody has to let the bot in at https://chat.example/in" } : {};
    return { kind, externalId, username: sid, name: `Name of ${sid}`, state, ...notice };
  }

  async poll(kind: SourceKind, externalId: string, state: Record<string, unknown>): Promise<PollResult> {
    await this.#begin("poll", externalId);
    const seen = Number(state.cursor);
    const cursor = this.posts.get(externalId) ?? 0;
    const posts = Array.from({ length: cursor - seen }, (_, n) => socialPost(kind, seen + n + 1));
    return { ok: true, posts, state: { cursor }, nextInMs: this.nextInMs };
  }

  async follow(externalId: string): Promise<null> {
    await this.#begin("follow", externalId);
    return null;
  }

  async letGo(externalId: string): Promise<null> {
    await this.#begin("letGo", externalId);
    return null;
  }

  async admission(sid: string): Promise<platforms.Admission> {
    await this.#begin("admission", sid);
    const isGated = sid.startsWith("+") && this.standing(sid).state !== "in";
    return isGated ? { state: "approval_needed", invite: sid } : { state: "in" };
  }

  async requestJoin(invite: string): Promise<platforms.JoinState> {
    await this.#begin("requestJoin", invite);
    const answer = this.nextAnswer ?? this.standing(invite);
    this.nextAnswer = undefined;
    return answer;
  }

  async checkJoin(invite: string): Promise<platforms.JoinState> {
    await this.#begin("checkJoin", invite);
    return this.standing(invite);
  }

  profile(username: string): MicroblogProfile {
    if (username.includes("unknown")) throw fail("not_found", "There is no such account.");
    const unsaid = { description: null, profile_image_url: null, protected: null, verified: null };
    const counts = { followers_count: null, following_count: null, created_at: null };
    return { id: `id-${username}`, name: `Name of ${username}`, username, ...unsaid, ...counts };
  }

  /** As the platform sees it: a client that has not asked has nothing to wait for. */
  standing(invite: string): platforms.JoinState {
    if (this.count(`requestJoin ${invite}`) === 0) return { state: "unasked", notBefore: null };
    return this.decided.get(invite) ?? { state: "pending", notBefore: null };
  }

  async #begin(operation: Operation, what: string): Promise<void> {
    await this.problems.get(operation)?.();
    this.calls.push(`${operation} ${what}`);
    if (this.#file !== undefined) appendFileSync(this.#file, `${operation} ${what}\n`);
  }
}

/** The n-th post of a source, as polls and live connections give it. */
export function socialPost(kind: SourceKind, n: number): Post {
  const type = kind === "microblog" ? "microblog.post.created" : `${kind}.message.created`;
  return { postId: String(n), revision: "1", type: type as Post["type"], data: { post: { n } } };
}

/** The platforms as the service that the tracker calls. */
export function socialUpstreamService(upstream: SocialUpstream): ServiceSchema {
  return {
    name: "connectors",
    actions: actions(
      handle(resolveSource, "public", ({ params }) => upstream.resolve(params.kind, params.sid)),
      handle(pollSource, "public", ({ params }) =>
        upstream.poll(params.kind, params.externalId, params.state),
      ),
      handle(unfollowSource, "public", ({ params }) => upstream.letGo(params.externalId)),
      handle(platforms.followSource, "public", ({ params }) => upstream.follow(params.externalId)),
      handle(platforms.admission, "public", ({ params }) => upstream.admission(params.sid)),
      handle(platforms.requestJoin, "public", ({ params }) => upstream.requestJoin(params.invite)),
      handle(platforms.checkJoin, "public", ({ params }) => upstream.checkJoin(params.invite)),
      handle(platforms.readMicroblogProfile, "public", ({ params }) => upstream.profile(params.username)),
    ),
  };
}
