import assert from "node:assert/strict";
import { test } from "node:test";
import { Webhook } from "standardwebhooks";
import { verifyWebhook, WebhookVerificationError } from "../src/index.ts";

const secretOf = (text: string) => `whsec_${Buffer.from(text).toString("base64")}`;
const secret = secretOf("0123456789abcdef0123456789abcdef");
const another = secretOf("another secret of thirty-two bit");
const body = JSON.stringify({
  id: "evt_1",
  type: "webhook.test",
  seq: 1,
  data: { source: null, text: "für 3 €" },
});

function signed(by = secret, at = new Date()) {
  return {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": new Webhook(by).sign("evt_1", at, body),
  };
}

test("a genuine delivery is returned as its event", async () => {
  for (const given of [body, new TextEncoder().encode(body)]) {
    const event = await verifyWebhook(secret, signed(), given);
    assert.equal(event.type, "webhook.test");
  }
  const headers = new Headers(signed());
  assert.deepEqual(await verifyWebhook(secret, headers, body), JSON.parse(body));
});

test("one right signature of several and one right secret of several are enough", async () => {
  const two = {
    ...signed(),
    "webhook-signature": `${signed(another)["webhook-signature"]} ${signed()["webhook-signature"]}`,
  };
  await verifyWebhook(secret, two, body);
  await verifyWebhook([another, secret], signed(), body);
});

const forged: [string, Record<string, string | undefined>, string][] = [
  ["of another secret", signed(another), body],
  ["with another body", signed(), body.replace("3", "4")],
  ["with another id", { ...signed(), "webhook-id": "evt_2" }, body],
  [
    "of another version",
    { ...signed(), "webhook-signature": signed()["webhook-signature"].replace("v1,", "v2,") },
    body,
  ],
  ["with a signature that is not base64", { ...signed(), "webhook-signature": "v1,€" }, body],
  ["without a signature", { ...signed(), "webhook-signature": undefined }, body],
  ["that is old", signed(secret, new Date(Date.now() - 600_000)), body],
  ["that is from the future", signed(secret, new Date(Date.now() + 600_000)), body],
  ["without a time", { ...signed(), "webhook-timestamp": "soon" }, body],
];
for (const [name, headers, text] of forged)
  test(`a delivery ${name} is refused`, () =>
    assert.rejects(verifyWebhook(secret, headers, text), WebhookVerificationError));

test("an old delivery passes where its age is allowed", async () => {
  await verifyWebhook(secret, signed(secret, new Date(Date.now() - 600_000)), body, {
    toleranceSeconds: 3600,
  });
});
