import { openEmbeddedHostPoliteness } from "../../../mixins/coordination/host-politeness/embedded.host-politeness.ts";
import { pace } from "../../../mixins/coordination/host-politeness/host-politeness.ts";

test("a pace that has expired does not come back", async () => {
  const clock = { now: 0 };
  const politeness = openEmbeddedHostPoliteness(() => clock.now);
  await politeness.backOff("a.test", 1000);
  clock.now += 1000 + pace.keptMs;
  const { signal } = new AbortController();
  // With a pace, the third would wait for a clock that stands still.
  for (let n = 0; n < 3; n++) (await politeness.acquire("a.test", { width: 1, spacingMs: 0 }, signal))();
  await politeness.close();
});
