import { LaneGroups } from "../../../services/webhook-dispatcher/engine/lane-groups.ts";

interface Step {
  keyId: string;
  n: number;
}

/** Groups that end when they are told to. */
function held() {
  const begun: string[] = [];
  const ends = new Map<string, () => void>();
  const groups = new LaneGroups<Step>(async steps => {
    const name = steps.map(({ keyId, n }) => keyId + n).join(" ");
    begun.push(name);
    await new Promise<void>(resolve => ends.set(name, resolve));
  });
  const end = async (name: string) => {
    ends.get(name)?.();
    await new Promise(setImmediate);
  };
  return { begun, end, groups };
}

const step = (keyId: string, n: number) => ({ keyId, n });

test("lanes are written side by side, and what comes for one meanwhile goes together, in order", async () => {
  const { begun, end, groups } = held();
  groups.add([step("a", 1), step("b", 1), step("a", 2)]);
  expect(begun).toEqual(["a1 a2", "b1"]);
  groups.add([step("a", 3), step("b", 2)]);
  groups.add([step("a", 4)]);
  expect(begun).toHaveLength(2);
  await end("a1 a2");
  expect(begun.slice(2)).toEqual(["a3 a4"]);
  const idle = groups.idle();
  await end("a3 a4");
  await end("b1");
  expect(begun.slice(3)).toEqual(["b2"]);
  await end("b2");
  await idle;
});

test("no more than 16 at a time, the longest waiting first", async () => {
  const { begun, end, groups } = held();
  groups.add(Array.from({ length: 20 }, (_, n) => step("k", n)).map(({ n }) => step(`k${n}-`, 0)));
  expect(begun).toHaveLength(16);
  await end("k5-0");
  expect(begun.slice(16)).toEqual(["k16-0"]);
});
