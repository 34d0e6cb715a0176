import {
  hasShareLeft,
  maxPictureBytes,
  pictureTtlMs,
  type SpentShare,
  spend,
} from "../../../../services/domain/watch/watch-pictures.ts";

const minute = 60_000;
const mb = 1024 * 1024;

interface Taken {
  at: number;
  bytes: number;
}

/** The changes that have pictures, of a page that changes each minute for twelve days. */
function pictured(bytesOf: (n: number) => number): Taken[] {
  const taken: Taken[] = [];
  let share: SpentShare | undefined;
  for (let at = 0; at < 3 * pictureTtlMs; at += minute) {
    if (!hasShareLeft(share, at)) continue;
    const bytes = bytesOf(taken.length);
    share = spend(share, bytes, at);
    taken.push({ at, bytes });
  }
  return taken;
}

/** The most that is stored at any time: changes, and bytes. */
function most(taken: Taken[]): { changes: number; bytes: number } {
  let [first, bytes] = [0, 0];
  const top = { changes: 0, bytes: 0 };
  for (const [last, each] of taken.entries()) {
    bytes += each.bytes;
    for (; (taken[first]?.at ?? 0) <= each.at - pictureTtlMs; first += 1) bytes -= taken[first]?.bytes ?? 0;
    top.changes = Math.max(top.changes, last + 1 - first);
    top.bytes = Math.max(top.bytes, bytes);
  }
  return top;
}

test.each<[string, (n: number) => number]>([
  ["small pictures", () => 1000],
  ["usual ones", () => 3 * mb],
  ["the largest ones", () => 3 * maxPictureBytes],
  ["small and large ones in turn", n => (n % 2 ? 1000 : 3 * maxPictureBytes)],
])("a page that changes each minute, with %s: twice the share is stored at most", (_, bytesOf) => {
  const { changes, bytes } = most(pictured(bytesOf));
  expect(changes).toBeLessThanOrEqual(400);
  expect(bytes).toBeLessThanOrEqual(2 * 256 * mb + 3 * maxPictureBytes);
  expect(Math.max(changes / 400, bytes / (512 * mb))).toBeGreaterThan(0.9);
});

test("a page that changes each hour has all its pictures", () => {
  let share: SpentShare | undefined;
  for (let at = 0; at < 3 * pictureTtlMs; at += 60 * minute) {
    expect(hasShareLeft(share, at)).toBe(true);
    share = spend(share, 2 * mb, at);
  }
});

test("a clock that is set back gives nothing back", () => {
  const share = spend({ changes: 199, at: 1000 }, 0, 500);
  expect(share.changes).toBe(200);
  expect(hasShareLeft(share, 500)).toBe(false);
});
