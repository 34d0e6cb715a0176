import { toConfig } from "../../mixins/config/config.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

let magpie: Magpie;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  const { egressAllow, webhooks } = toConfig({ EGRESS_ALLOW: "127.0.0.1/32", WEBHOOK_ALLOW_HTTP: "true" });
  magpie = await startMagpie({ egressAllow, webhooks }, config => [
    keysService(config),
    webhookDispatcherService(config),
  ]);
});
afterAll(async () => {
  await magpie?.stop();
  await receiver?.close();
});

test.each([
  ["slack", null, /"blocks":\[.*Test event/],
  ["discord", null, /"allowed_mentions":\{"parse":\[\]\}/],
  ["apprise", null, /"title":"Test event"/],
  ["text", "{{type}}: {{title}}", /^webhook.test: Test event\n$/],
] as const)("an endpoint gets its events as %s, signed", async (format, template, body) => {
  const url = `${receiver.url}/${format}`;
  const made = await magpie.request("POST", "/webhooks", { body: { url, format, template } });
  expect(made.status).toBe(201);
  const { id, secret } = made.json<{ data: { id: string; secret: string } }>().data;
  receiver.trust(secret);
  await magpie.request("POST", `/webhooks/${id}/test`);
  const got = () => receiver.received.find(({ path }) => path === `/${format}`);
  await until("it came", () => got() !== undefined);
  expect(got()?.body).toMatch(body);
  // The verifier reads JSON only; of a text the signature is there.
  if (format === "text") expect(got()?.headers["webhook-signature"]).toMatch(/^v1,/);
  else expect(got()?.verified).toBe(true);
});

test("a template with an unknown name is refused with the names that there are", async () => {
  const body = { url: `${receiver.url}/x`, format: "text", template: "{{tilte}}" };
  const reply = await magpie.request("POST", "/webhooks", { body });
  expect(reply.status).toBe(400);
  expect(reply.text).toContain("Known are: title, text, url");
});

test("what a receiver cannot be sent is refused at the door, and a change too", async () => {
  const url = `${receiver.url}/x`;
  const refusal = async (method: string, path: string, body: object) => {
    const reply = await magpie.request(method, path, { body });
    const { details } = reply.json<{ details?: { field: string }[] }>();
    return [reply.status, details?.[0]?.field];
  };
  expect(await refusal("POST", "/webhooks", { url, template: "{{title}}" })).toEqual([400, "template"]);
  expect(await refusal("POST", "/webhooks", { url: receiver.url, format: "ntfy" })).toEqual([400, "url"]);
  const made = await magpie.request("POST", "/webhooks", { body: { url: receiver.url, format: "text" } });
  const { id } = made.json<{ data: { id: string } }>().data;
  expect(await refusal("PATCH", `/webhooks/${id}`, { format: "ntfy" })).toEqual([400, "url"]);
  const kept = await magpie.request("GET", `/webhooks/${id}`);
  expect(kept.json()).toMatchObject({ data: { format: "text" } });
  await magpie.request("DELETE", `/webhooks/${id}`);
});
