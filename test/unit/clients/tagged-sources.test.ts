import { ServiceBroker } from "moleculer";
import { TaggedSources } from "../../../mixins/clients/tagged-sources.ts";

let now: number;
let asked: string[];
let tagged: TaggedSources;
let answer: () => Promise<string[]>;
beforeEach(() => {
  now = 0;
  asked = [];
  answer = async () => ["s1"];
  tagged = new TaggedSources(
    (keyId, tags) => {
      asked.push(`${keyId} ${tags.join("+")}`);
      return answer();
    },
    () => now,
  );
});

test("an answer is kept for each key and its tags, until it is forgotten or old", async () => {
  expect(await tagged.of("k1", ["a"])).toEqual(new Set(["s1"]));
  await tagged.of("k1", ["a"]);
  await tagged.of("k1", ["a", "b"]);
  await tagged.of("k2", ["a"]);
  expect(asked).toEqual(["k1 a", "k1 a+b", "k2 a"]);
  tagged.forget("k1");
  await tagged.of("k1", ["a"]);
  await tagged.of("k2", ["a"]);
  expect(asked.slice(3)).toEqual(["k1 a"]);
  now = 30_000;
  await tagged.of("k2", ["a"]);
  expect(asked.slice(4)).toEqual(["k2 a"]);
});

test("a question on its way when the tags change is asked again", async () => {
  let settle: (ids: string[]) => void = () => undefined;
  answer = () => new Promise(resolve => (settle = resolve));
  const before = tagged.of("k1", ["a"]);
  tagged.forget("k1");
  answer = async () => ["s2"];
  expect(await tagged.of("k1", ["a"])).toEqual(new Set(["s2"]));
  settle(["s1"]);
  expect(await before).toEqual(new Set(["s1"]));
  expect(await tagged.of("k1", ["a"])).toEqual(new Set(["s2"]));
});

test("a failure is not kept", async () => {
  answer = () => Promise.reject(new Error("away"));
  await expect(tagged.of("k1", ["a"])).rejects.toThrow("away");
  answer = async () => [];
  expect(await tagged.of("k1", ["a"])).toEqual(new Set());
});

test("the answers of the last thousand keys are kept", async () => {
  for (let key = 0; key <= 1000; key += 1) await tagged.of(`k${key}`, ["a"]);
  const before = asked.length;
  await tagged.of("k1", ["a"]);
  expect(asked).toHaveLength(before);
  await tagged.of("k0", ["a"]);
  expect(asked).toHaveLength(before + 1);
});

test("it waits for a tracker that starts later", async () => {
  const broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
  await broker.start();
  try {
    const answer = TaggedSources.through(broker).of("k1", ["a"]);
    broker.createService({ name: "tracker", actions: { sourcesOfTags: () => ({ ids: ["s1"] }) } });
    expect(await answer).toEqual(new Set(["s1"]));
  } finally {
    await broker.stop();
  }
});
