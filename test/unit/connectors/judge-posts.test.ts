import type { Context } from "moleculer";
import { judgePosts } from "../../../services/connectors/judge-posts.ts";
import type { DueView, PollResult, Post } from "../../../services/contracts/connectors.contract.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { JudgeRequest, Opinion } from "../../../services/contracts/judge.contract.ts";
import type { View } from "../../../services/contracts/watch.contract.ts";

const verdict = { judged: true, meaningful: true, confidence: 1, reason: "r", summary: "s" } as const;
let asked: JudgeRequest[];

beforeEach(() => {
  asked = [];
});

/** A call whose judge answers so. */
function calling(answer: (request: JudgeRequest) => Opinion[] | Promise<Opinion[]>): Context {
  const call = async (_name: string, request: JudgeRequest) => {
    asked.push(request);
    return await answer(request);
  };
  return { call } as unknown as Context;
}

const judging = calling(({ changes }) => changes.map(() => verdict));

function view(wanted: View): DueView {
  return { view: wanted, id: "1", state: {}, failures: 0 };
}

function found(posts: Post[], more: Partial<PollResult> = {}): PollResult {
  return { ok: true, posts, state: { told: 3 }, nextInMs: 1000, ...more } as PollResult;
}

const result = (url: string): Post => ({
  postId: url,
  revision: "1",
  type: "search.result.found",
  data: { result: { url, title: `About ${url}`, description: null, date: null } },
});

async function judgements(
  ctx: Context,
  views: DueView[],
  results: PollResult[],
  startedAt = performance.now(),
): Promise<unknown[][]> {
  const polled = await judgePosts(ctx, { externalId: "nest boxes", views, results, startedAt });
  return polled.map(each => (each.ok ? each.posts.map(({ data }) => data.judgement) : []));
}

test("the posts of each view are judged by its own goal, in their order", async () => {
  const opinion = ({ goal, changes }: JudgeRequest): Opinion[] =>
    changes.map(({ title }) => ({ ...verdict, summary: `${goal}: ${title}` }));
  const views = [view({ goal: "A" }), view({ goal: "B" }), view({}), view({ goal: "C", judge: false })];
  const results = views.map(() => found([result("1"), result("2")]));
  expect(await judgements(calling(opinion), views, results)).toMatchObject([
    [
      { goal: "A", summary: "A: About 1" },
      { goal: "A", summary: "A: About 2" },
    ],
    [
      { goal: "B", summary: "B: About 1" },
      { goal: "B", summary: "B: About 2" },
    ],
    [undefined, undefined],
    [undefined, undefined],
  ]);
  expect(asked.map(({ site }) => site)).toEqual(["nest boxes", "nest boxes"]);
});

test("nothing else of a poll changes, and a poll without changes asks nobody", async () => {
  const views = [view({ goal: "A" }), view({ goal: "A" }), view({ goal: "A" })];
  const failed: PollResult = { ok: false, reason: "x", gone: false, state: {} };
  const results = [found([result("1")], { more: true }), found([]), failed];
  const polled = await judgePosts(judging, {
    ...{ externalId: "x", views, results },
    startedAt: performance.now(),
  });
  expect(polled).toEqual([
    {
      ...results[0],
      posts: [{ ...result("1"), data: { ...result("1").data, judgement: { ...verdict, goal: "A" } } }],
    },
    results[1],
    results[2],
  ]);
  expect(asked).toHaveLength(1);
});

test("what is not judged by kind stays as it is, beside what is", async () => {
  const gone: Post = {
    ...result("1"),
    type: "site.page.removed",
    data: { page: { url: "1" }, reason: "404" },
  };
  const [seen] = await judgements(judging, [view({ goal: "A" })], [found([gone, result("2")])]);
  expect(seen).toEqual([undefined, { ...verdict, goal: "A" }]);
  expect(asked[0]?.changes).toHaveLength(1);
});

test("a new page of a site is judged by what its version says", async () => {
  const page = { url: "https://a.test/new", title: "New" };
  const post: Post = { postId: page.url, revision: "1", type: "site.page.added", data: { page } };
  const items = [{ item: page.url, title: "New", hash: "", content: "", words: "We open in Graz" }];
  const check = { outcome: "changed" as const, reason: "", tookMs: 1, items };
  await judgements(judging, [view({ goal: "A" })], [found([post], { check } as Partial<PollResult>)]);
  expect(asked[0]?.changes[0]).toMatchObject({ ...page, text: "We open in Graz" });
});

test("fifty changes of a poll are judged, and the others say why they are not", async () => {
  const posts = Array.from({ length: 70 }, (_, n) => result(String(n)));
  const [seen = []] = await judgements(judging, [view({ goal: "A" })], [found(posts)]);
  expect(seen.slice(0, 50).every(each => (each as Opinion).judged)).toBe(true);
  expect(seen.slice(50)).toEqual(
    Array(20).fill({ judged: false, reason: expect.stringContaining("more than 50"), goal: "A" }),
  );
});

test.each([
  ["is not there", Object.assign(new Error("no service"), { type: "SERVICE_NOT_FOUND" })],
  ["does not answer", Object.assign(new Error("late"), { type: "REQUEST_TIMEOUT" })],
  ["is full", fail("overloaded", "full")],
  ["breaks", new TypeError("a bug")],
])("a scraper that %s loses nothing", async (_, error) => {
  const ctx = calling(() => Promise.reject(error));
  expect(await judgements(ctx, [view({ goal: "A" })], [found([result("1")])])).toEqual([
    [{ judged: false, reason: expect.stringContaining("does not answer"), goal: "A" }],
  ]);
});

test("an answer with too few opinions leaves no post out", async () => {
  const ctx = calling(() => []);
  const [seen] = await judgements(ctx, [view({ goal: "A" })], [found([result("1")])]);
  expect(seen).toEqual([{ judged: false, reason: expect.stringContaining("does not answer"), goal: "A" }]);
});

test("a poll that took long asks nothing: it answers while it is waited for", async () => {
  const startedAt = performance.now() - 54_900;
  const [seen] = await judgements(judging, [view({ goal: "A" })], [found([result("1")])], startedAt);
  expect(seen).toEqual([{ judged: false, reason: expect.stringContaining("no time"), goal: "A" }]);
  expect(asked).toEqual([]);
});
