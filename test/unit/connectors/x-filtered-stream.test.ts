import type { XRule } from "../../../services/connectors/platforms/x/api.ts";
import { planRules, streamLines } from "../../../services/connectors/platforms/x/filtered-stream.ts";

const accounts = (count: number, from = 0) =>
  Array.from({ length: count }, (_, at) => String(1_000_000_000_000_000_000n + BigInt(from + at)));

/** What stands after a plan was carried out. */
function after(rules: XRule[], wanted: string[]): { rules: XRule[]; changes: number } {
  const { add, remove } = planRules(rules, wanted);
  const kept = rules.filter(({ id }) => !remove.includes(id));
  const added = add.map((value, at) => ({ id: `${rules.length}-${at}-${value.length}`, value }));
  return { rules: [...kept, ...added], changes: add.length + remove.length };
}

function named(rules: XRule[]): string[] {
  return rules.flatMap(({ value }) => value.match(/\d{2,}/g) ?? []).sort();
}

test("one account", () => {
  expect(planRules([], ["12"])).toEqual({ add: ["(from:12) -is:retweet"], remove: [] });
});

test("several share a rule, each named once", () => {
  const { add } = planRules([], ["13", "12", "13"]);
  expect(add).toEqual(["(from:12 OR from:13) -is:retweet"]);
});

test("nobody: every rule goes", () => {
  const rules = [{ id: "a", value: "(from:12) -is:retweet" }];
  expect(planRules(rules, [])).toEqual({ add: [], remove: ["a"] });
});

test.each([1, 16, 17, 18, 100, 1000])("%d accounts of the longest ids fit into few rules", count => {
  const { rules } = after([], accounts(count));
  expect(named(rules)).toEqual(accounts(count));
  expect(rules.length).toBe(Math.ceil(count / 17));
  for (const { value } of rules) expect(value.length).toBeLessThanOrEqual(512);
});

test("what is in step stays as it is", () => {
  const { rules } = after([], accounts(40));
  expect(planRules(rules, accounts(40).reverse())).toEqual({ add: [], remove: [] });
});

test("one more, or one less, changes few rules", () => {
  const { rules } = after([], accounts(100));
  const more = after(rules, accounts(101));
  expect([named(more.rules), more.changes <= 2]).toEqual([accounts(101), true]);
  const less = after(rules, accounts(99, 1));
  expect([named(less.rules), less.changes <= 4]).toEqual([accounts(99, 1), true]);
});

test("rules stay few and right, however the accounts come and go", () => {
  let seed = 7;
  const random = () => {
    seed = (seed * 48271) % 2147483647;
    return seed / 2147483647;
  };
  const wanted = new Set<string>();
  let rules: XRule[] = [];
  for (let step = 0; step < 300; step++) {
    const account = String(100 + Math.floor(random() * 120));
    if (random() < 0.6) wanted.add(account);
    else wanted.delete(account);
    rules = after(rules, [...wanted]).rules;
    expect(named(rules)).toEqual([...wanted].sort());
    // Short ids leave room in what counts as full.
    expect(rules.length).toBeLessThanOrEqual(Math.ceil(wanted.size / 36) + 2);
  }
});

test.each([
  ["written in another way", "from:12 -is:retweet"],
  ["that tells retweets", "(from:12)"],
  ["of somebody untracked", "(from:12 OR from:13) -is:retweet"],
])("a rule %s is replaced", (_, value) => {
  const plan = planRules([{ id: "a", value }], ["12"]);
  expect(plan).toEqual({ add: ["(from:12) -is:retweet"], remove: ["a"] });
});

test("an account in two rules is published once", () => {
  const value = `(${accounts(17)
    .map(id => `from:${id}`)
    .join(" OR ")}) -is:retweet`;
  const rules = [
    { id: "a", value },
    { id: "b", value },
  ];
  expect(planRules(rules, accounts(17))).toEqual({ add: [], remove: ["b"] });
});

const never = 1_000_000;
const bytes = (text: string) => [...Buffer.from(text)];

/** A stream of the given chunks, that ends after them unless it is told to stay. */
function streamOf(chunks: number[][], stays = false): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(Uint8Array.from(chunk));
      if (!stays) controller.close();
    },
  });
}

async function linesOf(stream: ReadableStream<Uint8Array>, silenceMs = never): Promise<string[]> {
  const lines: string[] = [];
  for await (const line of streamLines(stream.getReader(), silenceMs)) lines.push(line.trim());
  return lines;
}

const text = '{"a":"Elster 🐦"}\r\n\r\n{"b":"かささぎ"}\r\n';
const lines = ['{"a":"Elster 🐦"}', '{"b":"かささぎ"}'];

test.each([1, 2, 3, 5, 7, 1000])("lines are whole in chunks of %d bytes", async size => {
  const all = bytes(text);
  const count = Math.ceil(all.length / size);
  const chunks = Array.from({ length: count }, (_, at) => all.slice(at * size, (at + 1) * size));
  expect(await linesOf(streamOf(chunks))).toEqual(lines);
});

test("what breaks off in a line is none", async () => {
  expect(await linesOf(streamOf([bytes(`${text}{"c":`)]))).toEqual(lines);
});

test("silence ends it, after what came before", async () => {
  const told: string[] = [];
  const listening = (async () => {
    for await (const line of streamLines(streamOf([bytes(text)], true).getReader(), 10))
      told.push(line.trim());
  })();
  await expect(listening).rejects.toThrow("fell silent");
  expect(told).toEqual(lines);
});

test("a broken stream is thrown as it is", async () => {
  const broken = new ReadableStream<Uint8Array>({
    start: controller => controller.error(new Error("reset")),
  });
  await expect(linesOf(broken)).rejects.toThrow("reset");
});
