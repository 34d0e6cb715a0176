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
  const { egressAllow, webhooks } = toConfig({
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBHOOK_ALLOW_HTTP: "true",
    WEBHOOK_BACKOFF: "20ms,20ms,20ms,20ms",
  });
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
  ["cloudevents", null, /^\{"specversion":"1.0".*"type":"magpie.webhook.test"/],
  ["cloudevents-binary", null, /^\{"source":null,"webhook_id":/],
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
  if (format === "cloudevents-binary")
    expect(got()?.headers).toMatchObject({ "ce-type": "magpie.webhook.test", "ce-specversion": "1.0" });
});

async function add(path: string, options: object): Promise<string> {
  const made = await magpie.request("POST", "/webhooks", { body: { url: receiver.url + path, ...options } });
  expect([made.status, made.text]).toEqual([201, expect.any(String)]);
  return made.json<{ data: { id: string } }>().data.id;
}
const remove = (id: string) => magpie.request("DELETE", `/webhooks/${id}`);
const send = (id: string) => magpie.request("POST", `/webhooks/${id}/test`);

test("a topic of ntfy gets JSON at the root of its server, with the owner's headers", async () => {
  const headers = { Authorization: "Bearer tk_hidden" };
  const id = await add("/base/my-topic", { format: "ntfy", headers });
  await send(id);
  const got = () => receiver.received.find(({ path }) => path === "/base");
  await until("it came", () => got() !== undefined);
  expect(got()?.headers).toMatchObject({
    "content-type": "application/json",
    authorization: "Bearer tk_hidden",
    "webhook-signature": expect.stringMatching(/^v1,/),
  });
  expect(JSON.parse(got()?.body ?? "")).toEqual({
    topic: "my-topic",
    title: "Test event",
    message: expect.stringMatching(/./),
  });
  await remove(id);
});

const tooMany = { code: 42901, http: 429, error: "limit reached: too many requests, please be nice" };
const failed = { error: "One or more notification could not be sent." };

describe("where a receiver asks for a pause", () => {
  afterEach(() => {
    receiver.behave(200);
  });

  /** The pause that each asks for in its own way, in milliseconds. */
  test.each([
    ["slack", 429, { "retry-after": "1" }, "", 1000],
    ["discord", 429, {}, JSON.stringify({ message: "…", retry_after: 0.6, global: false }), 600],
    ["discord", 429, { "x-ratelimit-reset-after": "0.4", "retry-after": "1" }, '{"retry_after":400}', 400],
    ["discord", 429, { "retry-after": "1" }, "<html>banned for now</html>", 1000],
    ["ntfy", 429, {}, JSON.stringify(tooMany), 0],
    ["ntfy", 429, { "retry-after": "1" }, JSON.stringify(tooMany), 1000],
    ["apprise", 424, {}, JSON.stringify(failed), 0],
    ["apprise", 503, { "retry-after": "1" }, "", 1000],
    ["apprise", 204, {}, "", 0],
    ["text", 503, { "retry-after": "0.5" }, "", 500],
  ] as const)(
    "%s, %d %j %s: nothing comes before, and no other waits",
    async (format, status, headers, body, pauseMs) => {
      const path = "/limited/topic";
      const id = await add(path, { format, event_types: ["webhook.test"] });
      const other = await add("/other", {});
      const at = (place: string) => receiver.received.filter(each => each.path === place);
      const place = format === "ntfy" ? "/limited" : path;
      const [before, others] = [at(place).length, at("/other").length];
      const times: number[] = [];
      receiver.behave(({ path: asked }) => {
        if (asked !== place) return 200;
        times.push(performance.now());
        return times.length > 1 ? 200 : { status, headers, body };
      });
      await send(id);
      await until("it was refused", () => times.length > 0);
      await send(other);
      await until("the other got its own", () => at("/other").length > others);
      await until("it came at last", () => at(place).length >= before + 2);
      expect((times[1] ?? 0) - (times[0] ?? 0)).toBeGreaterThanOrEqual(pauseMs - 5);
      const listed = async () => {
        const { data } = (await magpie.request("GET", `/webhooks/${id}/deliveries`)).json<{
          data: { outcome: string; http_status: number }[];
        }>();
        return data.map(({ outcome, http_status }) => [outcome, http_status]);
      };
      await until("both are listed", async () => (await listed()).length === 2);
      expect(await listed()).toEqual([
        ["succeeded", 200],
        ["failed", status],
      ]);
      const shown = await magpie.request("GET", `/webhooks/${id}`);
      expect(shown.json()).toMatchObject({ data: { status: "ACTIVE", failures: 0, waiting: 0 } });
      await Promise.all([remove(id), remove(other)]);
    },
  );
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
  for (const topic of ["", "/a%20b", "/a.b", `/${"a".repeat(65)}`])
    expect(await refusal("POST", "/webhooks", { url: receiver.url + topic, format: "ntfy" })).toEqual([
      400,
      "url",
    ]);
  const made = await magpie.request("POST", "/webhooks", { body: { url: receiver.url, format: "text" } });
  const { id } = made.json<{ data: { id: string } }>().data;
  expect(await refusal("PATCH", `/webhooks/${id}`, { format: "ntfy" })).toEqual([400, "url"]);
  const kept = await magpie.request("GET", `/webhooks/${id}`);
  expect(kept.json()).toMatchObject({ data: { format: "text" } });
  await magpie.request("DELETE", `/webhooks/${id}`);
});
