import type { Post } from "../../../contracts/connectors.contract.ts";
import { invalid } from "../../../contracts/errors.ts";
import type { SourceKind } from "../../../contracts/source.ts";
import type { Listener, News, Page, SocialConnector } from "../social-connector.ts";
import type { Said, Stage } from "./stage.ts";

/** What differs between the simulated platforms. */
export interface Side {
  kind: SourceKind;
  stage: Stage;
  find(sid: string): { externalId: string; username: string; name: string };
  /** Whose posts are a source's. Throws `not_found`, or `forbidden`. */
  voicesOf(externalId: string): string[];
  /** The sources to which what a voice says belongs. */
  sourcesOf(voice: string): string[];
  toPost(said: Said): Post;
}

const pageSize = 200;

/** The simulated network behind a platform: always there, in this process, and never in a hurry. */
export function sandboxConnector(side: Side): SocialConnector {
  const { kind } = side;
  return {
    kind,
    driver: "sandbox",
    async resolve(sid) {
      const found = side.find(sid.trim());
      return { kind, ...found, state: { cursor: newest(side, found.externalId) } };
    },
    // The simulated platforms are heard without being followed.
    async follow(externalId) {
      side.voicesOf(externalId);
    },
    unfollow: () => Promise.resolve(),
    async since(externalId, cursor) {
      return since(side, externalId, cursor);
    },
    async history(externalId, page) {
      return history(side, externalId, page);
    },
    listen: (listener, signal) => listen(side, listener, signal),
  };
}

function since(side: Side, externalId: string, cursor: string | null): News {
  if (cursor === null) return { posts: [], cursor: newest(side, externalId), more: false };
  const said = side.stage.after(side.voicesOf(externalId), timeOf(cursor), pageSize + 1);
  const told = said.slice(0, pageSize);
  return {
    posts: told.map(side.toPost),
    cursor: String(told.at(-1)?.at ?? cursor),
    more: said.length > told.length,
  };
}

function history(
  side: Side,
  externalId: string,
  { cursor, limit }: { cursor?: string; limit: number },
): Page {
  const before = cursor === undefined ? Number.POSITIVE_INFINITY : timeOf(cursor);
  const said = side.stage.before(side.voicesOf(externalId), before, limit + 1);
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
  let heard = stage.now();
  await listener.onGap();
  while (!signal.aborted) {
    if (stage.isDown) return listener.onLost("The simulated network is down.");
    const said = stage.after(stage.voices, heard, pageSize);
    if (said.length === 0) await stage.stirred(signal);
    for (const each of said) {
      const sources = side.sourcesOf(each.voice).filter(listener.isTracked);
      for (const externalId of sources) await listener.onPosts(externalId, [side.toPost(each)]);
    }
    heard = said.at(-1)?.at ?? heard;
  }
}

/** The cursor of this moment. */
function newest({ stage, voicesOf }: Side, externalId: string): string {
  const [last] = stage.before(voicesOf(externalId), Number.POSITIVE_INFINITY, 1);
  return String(last?.at ?? 0);
}

function timeOf(cursor: string): number {
  if (!/^\d{1,15}$/.test(cursor))
    throw invalid("cursor", "cursor", "This cursor is none of this platform's.");
  return Number(cursor);
}
