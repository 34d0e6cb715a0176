import { createHmac, createPublicKey, randomBytes, verify } from "node:crypto";
import { Webhook } from "standardwebhooks";
import { delayAfter, jitter, receiverPauseMs } from "../../../../services/domain/delivery/backoff.ts";
import {
  firecrawlSignature,
  generateSecret,
  privateKeyOf,
  publicKeyOf,
  sign,
  signingKey,
} from "../../../../services/domain/delivery/signature.ts";

const body = '{"text":"naïve — ✓"}';
const now = Math.floor(Date.now() / 1000);
const headers = (secrets: string[], id = "evt_1") => ({
  "webhook-id": id,
  "webhook-timestamp": String(now),
  "webhook-signature": sign(secrets.map(signingKey), "evt_1", now, body),
});

test("Standard Webhooks verifies a signature, by each of two secrets, and no other", () => {
  const [fresh, old, other] = [1, 2, 3].map(() => generateSecret(randomBytes));
  if (!fresh || !old || !other) throw new Error("three secrets");
  const signed = headers([fresh, old]);
  expect(new Webhook(fresh).verify(body, signed)).toEqual(JSON.parse(body));
  expect(new Webhook(old).verify(body, signed)).toEqual(JSON.parse(body));
  expect(() => new Webhook(other).verify(body, signed)).toThrow("No matching signature");
  expect(() => new Webhook(fresh).verify(`${body} `, signed)).toThrow("No matching signature");
  expect(() => new Webhook(fresh).verify(body, headers([fresh], "evt_2"))).toThrow("No matching signature");
});

test("a public key verifies the signature of its pair beside the secret's, and of no other", () => {
  // RFC 8032, 7.1, test 1.
  const seed = Buffer.from("9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60", "hex");
  const bytes = Buffer.from("d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a", "hex");
  const pair = privateKeyOf(seed);
  expect(publicKeyOf(pair)).toBe(`whpk_${bytes.toString("base64")}`);

  const secret = generateSecret(randomBytes);
  const header = sign([signingKey(secret), pair], "evt_1", now, body);
  expect(new Webhook(secret).verify(body, { ...headers([]), "webhook-signature": header })).toEqual(
    JSON.parse(body),
  );
  const [, signature = ""] = / v1a,(\S+)$/.exec(header) ?? [];
  const verifies = (key: Buffer, signed: string) => {
    const jwk = { kty: "OKP", crv: "Ed25519", x: key.toString("base64url") };
    return verify(
      null,
      Buffer.from(signed),
      createPublicKey({ key: jwk, format: "jwk" }),
      Buffer.from(signature, "base64"),
    );
  };
  expect(verifies(bytes, `evt_1.${now}.${body}`)).toBe(true);
  expect(verifies(bytes, `evt_2.${now}.${body}`)).toBe(false);
  const [, other = ""] = publicKeyOf(privateKeyOf(randomBytes(32))).split("_");
  expect(verifies(Buffer.from(other, "base64"), `evt_1.${now}.${body}`)).toBe(false);
});

test("a key of another form is refused", () => {
  expect(() => signingKey("abc")).toThrow("whsec_");
});

test("a receiver of Firecrawl's webhooks verifies with the secret as it is shown", () => {
  const [secret, older] = [generateSecret(randomBytes), generateSecret(randomBytes)];
  const hmac = createHmac("sha256", secret).update(body).digest("hex");
  expect(firecrawlSignature([secret, older].map(signingKey), body)).toBe(`sha256=${hmac}`);
  expect(() => firecrawlSignature([], body)).toThrow("key");
});

test.each([
  ["120", 120_000],
  [" 1 ", 1_000],
  ["0", 0],
  ["0.25", 250],
  ["1.5.0", 0],
  ["999999", 3_600_000],
  ["Thu, 01 Jan 1970 00:01:00 GMT", 30_000],
  ["Thu, 01 Jan 1970 00:00:00 GMT", 0],
  ["soon", 0],
  ["-5", 0],
  [undefined, 0],
])("Retry-After %p is %d ms", (header, ms) => {
  expect(receiverPauseMs(header, 30_000)).toBe(ms);
});

test.each([
  [1, 1, 5],
  [2, 1.2, 36],
  [4, 0.8, 480],
  [9, 1, 600],
])("the delay after %d failures, spread by %d", (failures, spread, seconds) => {
  expect(delayAfter(failures, [5_000, 30_000, 120_000, 600_000], spread)).toBe(seconds * 1000);
});

test("jitter lies within a fifth", () => {
  expect([0, 0.5, 1].map(value => jitter(() => value))).toEqual([0.8, 1, 1.2000000000000002]);
});
