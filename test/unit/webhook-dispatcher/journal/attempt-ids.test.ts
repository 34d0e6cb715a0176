import { decodeTime } from "ulid";
import {
  idAfter,
  placesAfter,
  takeIds,
} from "../../../../services/webhook-dispatcher/journal/attempt-ids.ts";

const now = Date.now();
const cursor = /^[0-9A-HJKMNP-TV-Z]{26}$/;

test("ids ascend, in a row and from row to row, also where the clock is set back", () => {
  const ids: string[] = [];
  for (const [many, at] of [
    [1, now],
    [128, now],
    [3, now + 5],
    [2, now - 1_000],
    [1, now + 5],
  ] as const) {
    const first = takeIds(many, at);
    for (let n = 0; n < many; n += 1) ids.push(idAfter(first, n));
  }
  expect(ids).toEqual([...new Set(ids)].sort());
  for (const id of ids) expect(id).toMatch(cursor);
  expect(ids.map(decodeTime).filter(time => time < now || time > now + 5)).toEqual([]);
});

test("the ids of a row share a millisecond, however many were taken in it", () => {
  for (let n = 0; n < 400; n += 1) {
    const first = takeIds(100_000, now + 100);
    const last = idAfter(first, 99_999);
    expect(last > first && last.slice(0, 21) === first.slice(0, 21)).toBe(true);
    expect(takeIds(1, now) > last).toBe(true);
  }
});

test("the place of an id is found, and that of no other text", () => {
  const first = takeIds(40, now);
  for (const place of [0, 1, 31, 32, 39]) expect(placesAfter(first, idAfter(first, place))).toBe(place);
  const later = takeIds(1, now + 60_000);
  for (const id of ["", later, idAfter(first, 3).toLowerCase(), `${first}0`, `${first.slice(0, 25)}U`])
    expect(placesAfter(first, id)).toBeUndefined();
  expect(placesAfter(idAfter(first, 3), first)).toBeUndefined();
});

test("ids follow the clock again when it is more than a minute behind, and are no others of that time", () => {
  const before = takeIds(128, now + 300_000);
  const ahead = takeIds(128, now + 3_600_000);
  expect(decodeTime(takeIds(1, now + 3_600_000 - 60_000))).toBe(now + 3_600_000);
  const back = takeIds(128, now + 300_000);
  expect([before, ahead, back].map(decodeTime)).toEqual([now + 300_000, now + 3_600_000, now + 300_000]);
  expect(placesAfter(before, back) ?? placesAfter(back, before)).toBeUndefined();
  const next = takeIds(1, now + 300_000);
  expect(placesAfter(back, next)).toBe(128);
});
