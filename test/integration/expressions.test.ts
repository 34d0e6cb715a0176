import {
  type Expressions,
  openExpressions,
} from "../../services/webhook-dispatcher/expressions/expressions.ts";

let expressions: ReturnType<typeof openExpressions>;

beforeAll(() => {
  expressions = openExpressions();
});
afterAll(() => expressions.close());

const event = JSON.stringify({ a: 1, list: [1, 2], empty: [], text: "x", __proto__: null });

test.each([
  ["$.a > 0", true],
  ["a > 1", false],
  ["missing", false],
  ["list", true],
  ["empty", false],
  ["text", true],
  ["$.a", true],
  ["$string", false],
  ["{}", false],
])("an event passes where %s is true", async (expression, passes) => {
  expect(await expressions.match("key", expression, [event, event])).toEqual([passes, passes]);
});

test.each([
  ['{"b": a}', "application/json", '{"b":1}'],
  ["list", "application/json", "[1,2]"],
  ['"A " & a', "text/plain; charset=utf-8", "A 1"],
  ["$title", "text/plain; charset=utf-8", "Hello"],
])("a body by %s", async (expression, contentType, body) => {
  const made = await expressions.transform("key", expression, event, { title: "Hello" });
  expect(made).toEqual({ contentType, body });
});

test.each([
  ["a bracket", "a[ > 1", /character 4/],
  ["a regular expression", "/(a/", /regular expression/],
  ["many brackets", "(".repeat(4000), /before end of expression/],
])("%s that does not end is not JSONata", async (_, expression, words) => {
  expect(await expressions.check("key", expression)).toMatch(words);
});

test("what is JSONata has no problem", async () => {
  expect(await expressions.check("key", "$.data.post.legacy.favorite_count > 100")).toBeNull();
});

const twice = "$f := function($s, $n) { $n = 0 ? $s : $f($s & $s, $n - 1) }";

/** Expressions that never end, explode, or look for a way out. */
const hostile: [string, string, RegExp][] = [
  ["an endless tail", "($f := function($x) { $f($x + 1) }; $f(1))", /more than 250 ms/],
  ["endless recursion", "($f := function($x) { 1 + $f($x + 1) }; $f(1))", /Stack overflow/],
  ["a range", "[1..1000000000]", /sequence/],
  ["a shorter range", "[1..10000000]", /sequence/],
  ["a text that doubles", `(${twice}; $uppercase($f("x", 28)))`, /more than 1,000,000 characters/],
  ["a long text", '$uppercase($pad("x", 400000000))', /characters|memory/],
  ["much in memory", '$map([1..100000], function($x) { $pad("x", 900000) & $x })', /memory|more than/],
  ["a large result", '$pad("x", 300000)', /more than 256 KB/],
  ["a large array", '[1..90000].{"a": $pad("x", 10)}', /more than 256 KB|more than 250 ms/],
  ["a deep result", "($f := function($s, $n) { $n = 0 ? $s : $f({'a': $s}, $n - 1) }; $f(1, 20000))", /./],
  ["a slow regular expression", `$contains("${"a".repeat(40)}!", /^(a+)+$/)`, /more than 2 s/],
  ["nothing", "missing", /nothing/],
  ["a function", "$string", /nothing/],
  ["its own evaluator", '$eval("$eval(\\"$pad(\\\\\\"x\\\\\\", 2000000)\\")")', /characters/],
  ["an error", '$error("mine")', /mine/],
];

describe.each(hostile)("%s", (_, expression, words) => {
  test("fails for the event in a sentence, and what follows is evaluated", async () => {
    const made = await expressions.transform("key", expression, event, {});
    expect(made).toEqual(expect.objectContaining({ problem: expect.stringMatching(words) }));
    expect(await expressions.transform("key", "a", event, {})).toMatchObject({ body: "1" });
  });
});

test.each([
  '$lookup($, "__proto__")',
  '$lookup($, "constructor")',
  "$.constructor.constructor",
  "$string.constructor",
  "$.toString",
  '$eval("process")',
  '$eval("globalThis")',
  "$spread($).__proto__",
])("%s leads nowhere", async expression => {
  const made = await expressions.transform("key", expression, '{"a":{"b":1}}', {});
  expect(made).toHaveProperty("problem");
});

test("nothing that an expression writes is there for the next one", async () => {
  const writes = '$ ~> |$|{"__proto__": {"leak": 1}, "constructor": {"prototype": {"leak": 1}}}|';
  await expressions.transform("one", writes, event, {});
  await expressions.transform("one", '($leak := 1; $merge([{"__proto__": {"leak": 1}}]))', event, {});
  const leaks = await expressions.transform("two", '[leak, $leak, $exists({}.leak), "end"]', event, {});
  expect(leaks).toMatchObject({ body: '[false,"end"]' });
});

test("while one key's expressions overrun, another's are evaluated", async () => {
  const slow = (n: number) => `$contains("${"a".repeat(40)}${n}", /^(a+)+$/)`;
  let ended = 0;
  const overrunning = [1, 2, 3].map(async n => {
    await expressions.match("slow", slow(n), [event]);
    ended += 1;
  });
  expect(await expressions.match("other", "a = 1", [event])).toEqual([true]);
  expect(ended).toBeLessThan(3);
  await Promise.all(overrunning);
});

test("of many events, those for which an expression is slow are named, and the others decided", async () => {
  const expression = "$contains(text, /^(a+)+$/)";
  const texts = ["aaa", `${"a".repeat(40)}!`, "aaa", "b"];
  const events = texts.map(text => JSON.stringify({ text }));
  expect(await expressions.match("key", expression, events)).toEqual([
    true,
    expect.objectContaining({ problem: expect.stringMatching(/more than/) }),
    true,
    false,
  ]);
});

test("an expression that overruns again and again rests, and only it", async () => {
  const endless = "($f := function($x) { $f($x + 1) }; $f(2))";
  const events = Array.from({ length: 8 }, () => event);
  const found = await expressions.match("key", endless, events);
  expect(found).toHaveLength(8);
  expect(found.at(-1)).toEqual({ problem: expect.stringMatching(/rests/) });
  expect(await expressions.match("key", "a = 1", events)).toEqual(events.map(() => true));
  // Another key's is its own.
  expect(await expressions.match("another", endless, [event])).toEqual([
    expect.objectContaining({ problem: expect.stringMatching(/more than/) }),
  ]);
});

test("many events at once are decided in their order", async () => {
  const events = Array.from({ length: 700 }, (_, n) => JSON.stringify({ n, text: "x".repeat(3_000) }));
  const found = await expressions.match("key", "n % 3 = 0", events);
  expect(found).toEqual(events.map((_, n) => n % 3 === 0));
});

test("what waits when it closes is refused, and nothing is left", async () => {
  const own: ReturnType<typeof openExpressions> = openExpressions();
  const waits: Promise<unknown> = (own as Expressions).match(
    "key",
    "($f := function($x) { $f($x) }; $f(1))",
    [event],
  );
  await own.close();
  await expect(own.match("key", "a", [event])).rejects.toThrow("stopping");
  await waits.catch(() => undefined);
});
