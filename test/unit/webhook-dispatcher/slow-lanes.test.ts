import { SlowLanes } from "../../../services/webhook-dispatcher/lanes/slow-lanes.ts";

test.each([
  [0, 16],
  [1, 16],
  [64, 16],
  [65, 15],
  [256, 4],
  [1_000, 1],
  [5_000, 1],
])("of %d slow lanes each has %d attempts under way; the others have what they won", (count, share) => {
  const slow = new SlowLanes();
  for (let n = 0; n < count; n += 1) slow.note(`slow-${n}`, 3_000);
  slow.note("quick", 999);
  expect(slow.windowOf("slow-0", 16)).toBe(share);
  expect(slow.windowOf("slow-0", 1)).toBe(1);
  expect(slow.windowOf("quick", 16)).toBe(16);
});

test("one that answers quickly again, or is gone, leaves its share to the others", () => {
  const slow = new SlowLanes();
  for (let n = 0; n < 128; n += 1) slow.note(`slow-${n}`, 1_000);
  expect(slow.windowOf("slow-127", 16)).toBe(8);
  for (let n = 0; n < 64; n += 1) if (n % 2 === 0) slow.note(`slow-${n}`, 5);
  for (let n = 1; n < 64; n += 2) slow.forget(`slow-${n}`);
  expect(slow.windowOf("slow-0", 16)).toBe(16);
  expect(slow.windowOf("slow-127", 16)).toBe(16);
});

test.each([
  [1, 64],
  [64, 64],
  [128, 32],
  [1_000, 16],
])("of %d lanes that have won a full window each has %d attempts under way", (count, share) => {
  const lanes = new SlowLanes();
  for (let n = 0; n < count; n += 1) lanes.windowOf(`lane-${n}`, 64);
  expect(lanes.windowOf("lane-0", 64)).toBe(share);
  expect(lanes.windowOf("lane-0", 2)).toBe(2);
  for (let n = 1; n < count; n += 1) lanes.forget(`lane-${n}`);
  expect(lanes.windowOf("lane-0", 64)).toBe(64);
});
