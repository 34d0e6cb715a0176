import type { Post } from "../../../contracts/connectors.contract.ts";
import { invalid } from "../../../contracts/errors.ts";
import type { SourceKind } from "../../../contracts/source.ts";
import type { Listener, NewPosts, PostPage, SocialConnector } from "../../social/social-connector.ts";
import type { SandboxPost, Simulator } from "./simulator.ts";

/** What each simulated platform defines. */
interface SandboxPlatform {
  kind: SourceKind;
  simulator: Simulator;
  find(sid: string): Promise<{ externalId: string; username: string; name: string }>;
  /** The accounts whose posts belong to a source. Throws `not_found` or `forbidden`. */
  accountsOf(externalId: string): Promise<string[]>;
  /** The sources to which the posts of an account belong. */
  sourcesOf(account: string): string[];
  toPost(post: SandboxPost): Post;
  /** Tells which posts of those accounts belong to the source; all do where this is missing. */
  belongs?(externalId: string, post: SandboxPost): boolean;
}

const pageSize = 200;
/** Pages that one read of the history takes, for searches that find little. */
const maxPages = 50;

/** The driver of a simulated platform, without rate limits. */
export function sandboxConnector(platform: SandboxPlatform): SocialConnector {
  const { kind } = platform;
  return {
    kind,
    driver: "sandbox",
    async resolve(sid) {
      const found = await platform.find(sid.trim());
      return { kind, ...found, state: { cursor: await newestCursor(platform, found.externalId) } };
    },
    // Simulated platforms need no follows.
    async follow(externalId) {
      await platform.accountsOf(externalId);
    },
    unfollow: () => Promise.resolve(),
    since: (externalId, cursor) => readSince(platform, externalId, cursor),
    history: (externalId, page) => readHistory(platform, externalId, page),
    listen: (listener, signal) => listen(platform, listener, signal),
  };
}

async function readSince(
  platform: SandboxPlatform,
  externalId: string,
  cursor: string | null,
): Promise<NewPosts> {
  if (cursor === null) return { posts: [], cursor: await newestCursor(platform, externalId), more: false };
  await platform.simulator.refresh();
  const posts = platform.simulator.after(await platform.accountsOf(externalId), timeOf(cursor), pageSize + 1);
  const page = posts.slice(0, pageSize);
  return {
    posts: page.filter(post => belongs(platform, externalId, post)).map(platform.toPost),
    cursor: String(page.at(-1)?.at ?? cursor),
    more: posts.length > page.length,
  };
}

async function readHistory(
  platform: SandboxPlatform,
  externalId: string,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<PostPage> {
  let before = cursor === undefined ? Number.POSITIVE_INFINITY : timeOf(cursor);
  await platform.simulator.refresh();
  const accounts = await platform.accountsOf(externalId);
  const found: SandboxPost[] = [];
  for (let pages = 0; pages < maxPages && found.length <= limit; pages++) {
    const posts = platform.simulator.before(accounts, before, limit + 1);
    found.push(...posts.filter(post => belongs(platform, externalId, post)));
    before = posts.at(-1)?.at ?? before;
    if (posts.length <= limit) return pageOf(platform, found, limit, null);
  }
  return pageOf(platform, found, limit, String(before));
}

function pageOf(
  { toPost }: SandboxPlatform,
  found: SandboxPost[],
  limit: number,
  end: string | null,
): PostPage {
  const page = found.slice(0, limit);
  return { posts: page.map(toPost), next: found.length > limit ? String(page.at(-1)?.at) : end };
}

function belongs(platform: SandboxPlatform, externalId: string, post: SandboxPost): boolean {
  return platform.belongs?.(externalId, post) ?? true;
}

async function listen(platform: SandboxPlatform, listener: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (platform.simulator.isDown) await platform.simulator.changed(signal);
    else await stayConnected(platform, listener, signal);
  }
}

async function stayConnected(
  { simulator, ...platform }: SandboxPlatform,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  await simulator.refresh();
  let publishedUntil = simulator.now();
  await listener.onGap();
  while (!signal.aborted) {
    if (simulator.isDown) return listener.onLost("The simulated network is down.");
    const posts = simulator.after(simulator.accountIds, publishedUntil, pageSize);
    if (posts.length === 0) {
      await simulator.changed(signal);
      await simulator.refresh();
    }
    for (const each of posts) {
      const sources = platform.sourcesOf(each.account).filter(listener.isTracked);
      for (const externalId of sources) await listener.onPosts(externalId, [platform.toPost(each)]);
    }
    publishedUntil = posts.at(-1)?.at ?? publishedUntil;
  }
}

/** The cursor of this moment. */
async function newestCursor({ simulator, accountsOf }: SandboxPlatform, externalId: string): Promise<string> {
  await simulator.refresh();
  const [last] = simulator.before(await accountsOf(externalId), Number.POSITIVE_INFINITY, 1);
  return String(last?.at ?? 0);
}

function timeOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor))
    throw invalid("cursor", "malformed", "This is not a cursor of this platform.");
  return Number(cursor);
}
