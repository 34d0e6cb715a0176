import type { Listener, SocialConnector } from "../../services/connectors/social/social-connector.ts";
import type { Post } from "../../services/contracts/connectors.contract.ts";
import { until } from "../support/until.ts";

/** Somebody who listens through a driver as the service does: what comes in live is kept, gaps are read by `since`. */
export interface Ear {
  /** Ids of what came over the live connection, by source, in order, doubles left out. */
  live(externalId: string): string[];
  /** Ids of all that was told, live or by `since` after a gap, in order, doubles left out. */
  heard(externalId: string): string[];
  posts(externalId: string): Post[];
  /** Times that the connection stood. */
  gaps(): number;
  losses(): string[];
  track(externalId: string, cursor: string | null): void;
  /** Ends the listening; resolves when `listen` has. */
  end(): Promise<void>;
}

/** Listens to nothing. */
export const nobody: Listener = {
  isTracked: () => false,
  tracked: () => [],
  onTracked: () => () => undefined,
  onPosts: async () => undefined,
  onGap: async () => undefined,
  onLost: () => undefined,
};

/** Begins to listen, and waits until the connection stands. `tracked`: external ids with the cursor from which to fill. */
export async function listen(driver: SocialConnector, tracked: Record<string, string | null>): Promise<Ear> {
  const cursors = new Map(Object.entries(tracked));
  const live = new Map<string, Post[]>();
  const all = new Map<string, Post[]>();
  const watchers = new Set<() => void>();
  const losses: string[] = [];
  const faults: unknown[] = [];
  const ending = new AbortController();
  let gaps = 0;
  const listener: Listener = {
    isTracked: externalId => cursors.has(externalId),
    tracked: () => [...cursors.keys()],
    onTracked: changed => {
      watchers.add(changed);
      return () => watchers.delete(changed);
    },
    onPosts: async (externalId, posts) => {
      keep(live, externalId, posts);
      keep(all, externalId, posts);
    },
    onGap: async externalIds => {
      for (const externalId of externalIds ?? cursors.keys()) await fill(externalId);
      gaps += 1;
    },
    onLost: reason => losses.push(reason),
  };

  async function fill(externalId: string): Promise<void> {
    for (let more = cursors.has(externalId) && !ending.signal.aborted; more; ) {
      const news = await driver.since(externalId, cursors.get(externalId) ?? null, ending.signal);
      keep(all, externalId, news.posts);
      cursors.set(externalId, news.cursor);
      more = news.more;
    }
  }

  const ended = driver.listen(listener, ending.signal).catch(error => {
    faults.push(error);
  });
  const ear: Ear = {
    live: externalId => ids(live, externalId),
    heard: externalId => ids(all, externalId),
    posts: externalId => live.get(externalId) ?? [],
    gaps: () => gaps,
    losses: () => losses,
    track(externalId, cursor) {
      cursors.set(externalId, cursor);
      for (const changed of watchers) changed();
    },
    async end() {
      ending.abort(new Error("enough was heard"));
      await ended;
      if (faults.length > 0) throw new Error("listening failed", { cause: faults[0] });
      if (watchers.size > 0) throw new Error("still watches what is tracked");
    },
  };
  await until("the connection stands", () => {
    if (faults.length > 0) throw new Error("listening failed", { cause: faults[0] });
    return gaps > 0;
  });
  return ear;
}

function keep(kept: Map<string, Post[]>, externalId: string, posts: Post[]): void {
  const known = kept.get(externalId) ?? [];
  const isNew = ({ postId, revision }: Post) =>
    !known.some(each => each.postId === postId && each.revision === revision);
  for (const post of posts) if (isNew(post)) known.push(post);
  kept.set(externalId, known);
}

function ids(kept: Map<string, Post[]>, externalId: string): string[] {
  return (kept.get(externalId) ?? []).map(({ postId }) => postId);
}
