import { generateKeySync, type KeyObject, randomBytes } from "node:crypto";
import { seal, subKey, unseal } from "../../../../services/domain/key/seal.ts";

const newKey = () => generateKeySync("aes", { length: 256 });
const key = newKey();
const sealed = seal(key, "gehëim", ["ann", "k1"], randomBytes(12));
const flipped = (at: number) => {
  const bytes = Buffer.from(sealed.slice(3), "base64url");
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return `v1.${bytes.toString("base64url")}`;
};

test("what was sealed is unsealed with the same key and context", () => {
  expect(unseal(key, sealed, ["ann", "k1"])).toBe("gehëim");
  expect(sealed).not.toContain(Buffer.from("geh").toString("base64url"));
});

test.each<[string, KeyObject, string, string[]]>([
  ["another key", newKey(), sealed, ["ann", "k1"]],
  ["another owner", key, sealed, ["bob", "k1"]],
  ["a context that joins to the same text", key, sealed, ["annk1"]],
  ["a changed nonce", key, flipped(0), ["ann", "k1"]],
  ["changed text", key, flipped(13), ["ann", "k1"]],
  ["a changed tag", key, flipped(30), ["ann", "k1"]],
  ["a shortened tag", key, sealed.slice(0, -8), ["ann", "k1"]],
  ["nothing", key, "v1.", ["ann", "k1"]],
  ["another version", key, sealed.replace("v1", "v2"), ["ann", "k1"]],
])("%s does not open it", (_, by, text, context) => {
  expect(() => unseal(by, text, context)).toThrow();
});

test("a nonce of another length is refused", () => {
  expect(() => seal(key, "x", [], randomBytes(8))).toThrow(RangeError);
});

test("sub-keys: the same for the same label, unlike for another label or secret", () => {
  const hex = (secret: string, label: string) => subKey(secret, label).toString("hex");
  expect(hex("s", "a/v1")).toBe(hex("s", "a/v1"));
  expect(new Set([hex("s", "a/v1"), hex("s", "a/v2"), hex("t", "a/v1")]).size).toBe(3);
});
