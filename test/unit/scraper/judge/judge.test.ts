import type { ChangeToJudge } from "../../../../services/domain/goal/change-to-judge.ts";
import { Judge } from "../../../../services/scraper/judge/judge.ts";
import type { LanguageModel } from "../../../../services/scraper/model/language-model.ts";

const verdict = { meaningful: true, confidence: 0.8, reason: "It concerns it.", summary: "It changed." };
const never = new AbortController().signal;
const untilAborted = (signal: AbortSignal) =>
  new Promise<string>((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));

let now: number;
let counted: string[];
let failures: string[];
let asked: string[];

beforeEach(() => {
  now = 0;
  counted = [];
  failures = [];
  asked = [];
});

/** A judge whose model answers by what the question says. */
function judgeBy(answer: (about: string, signal: AbortSignal) => Promise<string> | string): Judge {
  const model: LanguageModel = {
    complete: async (messages, { signal }) => {
      const about = messages.at(-1)?.content ?? "";
      asked.push(about);
      return await answer(about, signal);
    },
  };
  return new Judge({
    model,
    count: outcome => counted.push(outcome),
    onFailure: ({ outcome }) => failures.push(outcome),
    now: () => now,
  });
}

function change(title: string): ChangeToJudge {
  return {
    kind: "web.page.changed",
    title,
    url: "https://a.test/",
    added: [],
    removed: [],
    text: "",
    isCut: false,
  };
}

const about = (titles: string[], { site = "a.test", withinMs = 60_000 } = {}) => ({
  ...{ site, goal: "Prices", withinMs },
  changes: titles.map(change),
});

test("each change is a question of its own, with a boundary of its own", async () => {
  const judge = judgeBy(said => JSON.stringify({ ...verdict, meaningful: said.includes("one") }));
  expect(await judge.opinions(about(["one", "two"]), never)).toEqual([
    { judged: true, ...verdict },
    { judged: true, ...verdict, meaningful: false },
  ]);
  const marks = asked.map(each => /^<<<(\w{32})$/m.exec(each)?.[1]);
  expect(new Set(marks).size).toBe(2);
  expect(marks).not.toContain(undefined);
  expect(counted).toEqual(["meaningful", "dismissed"]);
});

test("an answer in a wrong form says nothing, of that change alone", async () => {
  const judge = judgeBy(said => (said.includes("bad") ? "meaningful!" : JSON.stringify(verdict)));
  const [bad, good] = await judge.opinions(about(["bad", "good"]), never);
  expect(bad).toEqual({ judged: false, reason: expect.stringContaining("form") });
  expect(good?.judged).toBe(true);
  expect(failures).toEqual(["malformed"]);
});

test("answers in a wrong form pause nothing", async () => {
  const judge = judgeBy(() => "no");
  await judge.opinions(about(["1", "2", "3", "4", "5"]), never);
  await judge.opinions(about(["6"]), never);
  expect(asked).toHaveLength(6);
});

test("what is not answered within the time says so, and the others keep their verdicts", async () => {
  const judge = judgeBy((said, signal) =>
    said.includes("slow") ? untilAborted(signal) : JSON.stringify(verdict),
  );
  const [slow, fast] = await judge.opinions(about(["slow", "fast"], { withinMs: 100 }), never);
  expect(slow).toEqual({ judged: false, reason: expect.stringContaining("in time") });
  expect(fast?.judged).toBe(true);
});

test("one site leaves places for others", async () => {
  const { promise: held, resolve: release } = Promise.withResolvers<void>();
  const judge = judgeBy(async said => {
    if (said.includes("held")) await held;
    return JSON.stringify(verdict);
  });
  const many = judge.opinions(about(Array(20).fill("held")), never);
  const [other] = await judge.opinions(about(["other"], { site: "b.test" }), never);
  expect(other?.judged).toBe(true);
  expect(asked.filter(each => each.includes("held"))).toHaveLength(6);
  release();
  expect((await many).every(({ judged }) => judged)).toBe(true);
});

test("a model that is down is left alone for a minute after several failures in a row", async () => {
  let isDown = true;
  const judge = judgeBy(() => {
    if (isDown) throw new Error("down");
    return JSON.stringify(verdict);
  });
  const first = await judge.opinions(about(Array(20).fill("x")), never);
  expect(first.every(({ judged }) => !judged)).toBe(true);
  const before = asked.length;
  expect(before).toBeLessThan(20);
  const [skipped] = await judge.opinions(about(["x"]), never);
  expect(skipped).toEqual({ judged: false, reason: expect.stringContaining("asked again in a minute") });
  expect(asked).toHaveLength(before);
  now = 60_000;
  isDown = false;
  const [again] = await judge.opinions(about(["x"]), never);
  expect(again?.judged).toBe(true);
});

test("without a model nothing is judged, and that is said", async () => {
  const judge = new Judge({
    model: undefined,
    count: () => undefined,
    onFailure: () => undefined,
    now: () => 0,
  });
  const [opinion] = await judge.opinions(about(["x"]), never);
  expect(opinion).toEqual({ judged: false, reason: expect.stringContaining("LLM_BASE_URL") });
});
