import { GarbageCollector, noteRelease } from "../../../mixins/runtime/garbage.ts";

test("what was released is collected although the heap has not grown", async () => {
  const collector = new GarbageCollector();
  collector.collectIfWorthIt();
  const released = new WeakRef(new SharedArrayBuffer(8 << 20));
  await nextTask();
  collector.collectIfWorthIt();
  expect(released.deref()).toBeDefined();
  await nextTask();
  noteRelease();
  collector.collectIfWorthIt();
  expect(released.deref()).toBeUndefined();
});

/** A weak reference holds its object until the task that has looked at it ends. */
function nextTask(): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, 0));
}
