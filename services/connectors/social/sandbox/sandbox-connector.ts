import type { Post } from "../../../contracts/connectors.contract.ts";
import { invalid } from "../../../contracts/errors.ts";
import type { SourceKind } from "../../../contracts/source.ts";
import type { Listener, News, Page, SocialConnector } from "../social-connector.ts";
import type { Said, Stage } from "./stage.ts";

/** What differs between the simulated platforms. */
export interface Side {
  kind: SourceKind;
  stage: Stage;
  find(sid: string): Promise<{ externalId: string; username: string; name: string }>;
  /** Whose posts are a source's. Throws `not_found`, or `forbidden`. */
  voicesOf(externalId: string): Promise<string[]>;
  /** The sources to which what a voice says belongs. */
  sourcesOf(voice: string): string[];
  toPost(said: Said): Post;
}

const pageSize = 200;

/** The simulated network behind a platform: always there, and never in a hurry. */
export function sandboxConnector(side: Side): SocialConnector {
  const { kind } = side;
  return {
    kind,
    driver: "sandbox",
    async resolve(sid) {
      const found = await side.find(sid.trim());
      return { kind, ...found, state: { cursor: await newest(side, found.externalId) } };
    },
    // The simulated platforms are heard without being followed.
    async follow(externalId) {
      await side.voicesOf(externalId);
    },
    unfollow: () => Promise.resolve(),
    since: (externalId, cursor) => since(side, externalId, cursor),
    history: (externalId, page) => history(side, externalId, page),
    listen: (listener, signal) => listen(side, listener, signal),
  };
}

async function since(side: Side, externalId: string, cursor: string | null): Promise<News> {
  if (cursor === null) return { posts: [], cursor: await newest(side, externalId), more: false };
  await side.stage.refresh();
  const said = side.stage.after(await side.voicesOf(externalId), timeOf(cursor), pageSize + 1);
  const told = said.slice(0, pageSize);
  return {
    posts: told.map(side.toPost),
    cursor: String(told.at(-1)?.at ?? cursor),
    more: said.length > told.length,
  };
}

async function history(
  side: Side,
  externalId: string,
  { cursor, limit }: { cursor?: string; limit: number },
): Promise<Page> {
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : timeOf(cursor);
  await side.stage.refresh();
  const said = side.stage.before(await side.voicesOf(externalId), before, limit + 1);
  const told = said.slice(0, limit);
  return { posts: told.map(side.toPost), next: said.length > limit ? String(told.at(-1)?.at) : null };
}

async function listen(side: Side, listener: Listener, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    if (side.stage.isDown) await side.stage.stirred(signal);
    else await stayConnected(side, listener, signal);
  }
}

async function stayConnected(
  { stage, ...side }: Side,
  listener: Listener,
  signal: AbortSignal,
): Promise<void> {
  await stage.refresh();
  let heard = stage.now();
  await listener.onGap();
  while (!signal.aborted) {
    if (stage.isDown) return listener.onLost("The simulated network is down.");
    const said = stage.after(stage.voices, heard, pageSize);
    if (said.length === 0) {
      await stage.stirred(signal);
      await stage.refresh();
    }
    for (const each of said) {
      const sources = side.sourcesOf(each.voice).filter(listener.isTracked);
      for (const externalId of sources) await listener.onPosts(externalId, [side.toPost(each)]);
    }
    heard = said.at(-1)?.at ?? heard;
  }
}

/** The cursor of this moment. */
async function newest({ stage, voicesOf }: Side, externalId: string): Promise<string> {
  await stage.refresh();
  const [last] = stage.before(await voicesOf(externalId), Number.POSITIVE_INFINITY, 1);
  return String(last?.at ?? 0);
}

function timeOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor))
    throw invalid("cursor", "cursor", "This cursor is none of this platform's.");
  return Number(cursor);
}
