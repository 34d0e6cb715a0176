import { randomBytes } from "node:crypto";
import { generateKey, hasKeyForm } from "../../../../services/domain/key/generate-key.ts";

describe("generateKey", () => {
  test("has the form, and does not repeat", () => {
    const keys = Array.from({ length: 1000 }, () => generateKey(randomBytes));
    for (const key of keys) expect(key).toMatch(/^mk_[0-9A-Za-z]{38}$/);
    expect(keys.every(hasKeyForm)).toBe(true);
    expect(new Set(keys).size).toBe(1000);
  });

  test("golden: bytes that count up from 0", () => {
    const counting = (size: number) => Uint8Array.from({ length: size }, (_, n) => n);
    expect(generateKey(counting)).toBe("mk_0123456789ABCDEFGHIJKLMNOPQRSTUV1ggZdL");
  });

  test("bytes that would favour some digits are dropped, so all digits are as likely", () => {
    let next = 0;
    const all = (size: number) => Uint8Array.from({ length: size }, () => next++ % 256);
    const digits = Array.from({ length: 31 }, () => generateKey(all).slice(3, 35)).join("");
    const counts = new Map<string, number>();
    for (const digit of digits) counts.set(digit, (counts.get(digit) ?? 0) + 1);
    expect(counts.size).toBe(62);
    expect(new Set(counts.values())).toEqual(new Set([16]));
  });
});

describe("hasKeyForm", () => {
  const key = generateKey(randomBytes);
  const swapped = `${key.slice(0, 10)}${key[11]}${key[10]}${key.slice(12)}`;
  test.each([
    ["a key", key, true],
    ["one character changed", key.slice(0, -1) + (key.endsWith("0") ? "1" : "0"), false],
    ["neighbours swapped", swapped, swapped === key],
    ["cut", key.slice(0, -1), false],
    ["longer", `${key}0`, false],
    ["with a line end", `${key}\n`, false],
    ["another prefix", key.replace("mk_", "sk_"), false],
    ["nothing", "", false],
  ])("%s", (_, value, expected) => {
    expect(hasKeyForm(value)).toBe(expected);
  });
});
