import { setImmediate as yieldToLoop } from "node:timers/promises";
import type { Context } from "moleculer";
import { call } from "../contracts/action.ts";
import type { CallMeta } from "../contracts/caller.ts";
import type { DueView, PollResult, Post } from "../contracts/connectors.contract.ts";
import { judgeChanges, mostJudged, type Opinion } from "../contracts/judge.contract.ts";
import type { Judgement } from "../contracts/site-events.ts";
import { type ChangeToJudge, changeToJudge } from "../domain/goal/change-to-judge.ts";

/** Milliseconds that the changes of one poll share. */
const judgeMs = 7500;
/** Until the answer of the scraper must be there. */
const graceMs = 500;
/** Milliseconds after the start of a poll at which it answers at the latest: the tracker waits a little longer. */
const pollMs = 55_000;

interface Polled {
  externalId: string;
  views: readonly DueView[];
  /** In the order of the views. */
  results: PollResult[];
  /** When the poll began, by `performance.now`. */
  startedAt: number;
}

type Found = Extract<PollResult, { ok: true }>;

/**
 * Has the changes of each view with a goal judged by it, once for all keys that share the view, and writes what the judge
 * says into their posts. Of what is not judged in time the post says so: nothing is held back, and no failure of the judge
 * is one of the poll.
 */
export async function judgePosts(
  ctx: Context<unknown, CallMeta>,
  { externalId, views, results, startedAt }: Polled,
): Promise<PollResult[]> {
  const site = URL.parse(externalId)?.host || externalId;
  const leftMs = startedAt + pollMs - performance.now() - graceMs;
  const withinMs = Math.floor(Math.min(judgeMs, leftMs));
  return await Promise.all(
    results.map(async (result, at) => {
      const { goal, judge = true } = views[at]?.view ?? {};
      if (goal === undefined || !judge || !result.ok || result.posts.length === 0) return result;
      return { ...result, posts: await judgedPosts(ctx, result, { site, goal, withinMs }) };
    }),
  );
}

interface Terms {
  site: string;
  goal: string;
  withinMs: number;
}

async function judgedPosts(
  ctx: Context<unknown, CallMeta>,
  { posts, check }: Found,
  terms: Terms,
): Promise<Post[]> {
  const asked = new Map<Post, ChangeToJudge>();
  for (const post of posts) {
    const words = check?.items?.find(({ item }) => item === pageOf(post))?.words;
    const change = changeToJudge(post, words);
    if (change) asked.set(post, change);
    // An item's text may have to be read from its HTML.
    await yieldToLoop();
  }
  if (asked.size === 0) return posts;
  const opinions = await opinionsOn(ctx, [...asked.values()].slice(0, mostJudged), terms);
  const numbers = new Map([...asked.keys()].map((post, number) => [post, number]));
  return posts.map(post => {
    const number = numbers.get(post);
    if (number === undefined) return post;
    const opinion = opinions[number] ?? unjudged(number < mostJudged ? unanswered : tooMany);
    const judgement: Judgement = { ...opinion, goal: terms.goal };
    return { ...post, data: { ...post.data, judgement } };
  });
}

/** The address of a site's page, which its version has as its item. */
function pageOf({ data }: Post): unknown {
  return (data.page as { url?: unknown } | undefined)?.url;
}

const tooMany = `The check found more than ${mostJudged} changes, and no more are judged.`;
const noTime = "The check took so long that no time was left to judge.";
const unanswered = "The service that asks the language model does not answer.";

function unjudged(reason: string): Opinion {
  return { judged: false, reason };
}

async function opinionsOn(
  ctx: Context<unknown, CallMeta>,
  changes: ChangeToJudge[],
  { site, goal, withinMs }: Terms,
): Promise<Opinion[]> {
  if (withinMs < graceMs) return changes.map(() => unjudged(noTime));
  try {
    const asked = { site, goal, changes, withinMs };
    return await call(ctx as Context, judgeChanges, asked, { timeout: withinMs + graceMs });
  } catch {
    // Whatever is wrong with the judge is no failure of the source.
    return [];
  }
}
