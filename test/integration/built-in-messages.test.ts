import { Ajv } from "ajv";
import addFormats from "ajv-formats";
import { toConfig } from "../../mixins/config/config.ts";
import { eventExamples } from "../../services/api/openapi/examples.ts";
import { eventTypes } from "../../services/contracts/events.ts";
import {
  type BuiltInFormat,
  builtIns,
  variablesOf,
} from "../../services/domain/delivery/formats/messages.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { openExpressions } from "../../services/webhook-dispatcher/expressions/expressions.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Received, type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";
import { gotify, matrix, pushover, teams, telegram } from "../unit/domain/delivery/formats/receivers.ts";

/** The address of each, as its receiver has it. */
const addresses: Record<BuiltInFormat, string> = {
  teams: "/workflows/1/triggers/manual/paths/invoke?sig=x",
  telegram: "/bot123:ABC-d_e/sendMessage?chat_id=-100&message_thread_id=7",
  matrix: "/_matrix/client/v3/rooms/!room:example.org/send/m.room.message",
  pushover: "/1/messages.json?token=app&user=me",
  gotify: "/message?token=app",
};
const formats = Object.keys(addresses) as BuiltInFormat[];

const schemas = { teams, telegram, matrix, pushover, gotify };
const ajv = new Ajv({ allErrors: true });
addFormats.default(ajv);
const checks = Object.fromEntries(formats.map(format => [format, ajv.compile(schemas[format])]));

let magpie: Magpie;
let receiver: Receiver;
let expressions: ReturnType<typeof openExpressions>;

beforeAll(async () => {
  receiver = await startReceiver();
  expressions = openExpressions();
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
  await expressions?.close();
  await receiver?.close();
});

async function made(
  format: BuiltInFormat,
  events: object[],
  template: string | null = null,
): Promise<string> {
  const jsons = events.map(event => JSON.stringify(event));
  const url = new URL(`https://example.com${addresses[format]}`);
  const variables = variablesOf(format, url, template, jsons);
  const message = await expressions.transform("key", builtIns[format].transform, jsons[0] ?? "", variables);
  return "body" in message ? message.body : message.problem;
}

/** What is wrong with a body, as its receiver says it; an empty text for nothing. */
function refusal(format: BuiltInFormat, body: string): string {
  const check = checks[format];
  const json: unknown = JSON.parse(body);
  return check?.(json) ? "" : ajv.errorsText(check?.errors);
}

describe.each(formats)("%s", format => {
  test("takes a message for each type of event, for a batch, for a template, and for the longest text", async () => {
    const all = eventTypes.map(type => eventExamples[type]);
    const long = {
      ...eventExamples["rss.item.created"],
      data: {
        ...eventExamples["rss.item.created"].data,
        item: {
          id: "1",
          title: "é".repeat(5_000),
          content_text: "😀".repeat(60_000),
          url: "https://example.com/",
        },
      },
    };
    const bodies = [
      ...(await Promise.all(all.map(event => made(format, [event])))),
      ...[await made(format, all), await made(format, [long]), await made(format, [long, long])],
      ...[await made(format, all, "{{title}}"), await made(format, [long], "{{text}}")],
    ];
    expect(bodies.map(body => refusal(format, body)).filter(Boolean)).toEqual([]);
    if (format === "teams") for (const body of bodies) expect(Buffer.byteLength(body)).toBeLessThan(28_000);
  });

  test("is sent to its address, and an address of another shape is refused", async () => {
    const url = receiver.url + addresses[format];
    const made = await magpie.request("POST", "/webhooks", { body: { url, format } });
    expect([made.status, made.text]).toEqual([201, expect.any(String)]);
    const { id } = made.json<{ data: { id: string } }>().data;
    await magpie.request("POST", `/webhooks/${id}/test`);
    const path = new URL(url).pathname;
    const got = (): Received | undefined => receiver.received.find(each => each.path.startsWith(path));
    await until("it came", () => got() !== undefined);
    expect(refusal(format, got()?.body ?? "")).toBe("");
    expect(got()?.body).toContain("Test event");
    const tried = await magpie.request("POST", `/webhooks/${id}/transform/test`, { body: {} });
    expect(tried.json()).toMatchObject({ data: { body: got()?.body, transform_problem: null } });
    await magpie.request("DELETE", `/webhooks/${id}`);
    const body = { url: `${receiver.url}/other`, format };
    const other = await magpie.request("POST", "/webhooks", { body });
    if (format === "teams") expect(other.status).toBe(201);
    else expect(other.json()).toMatchObject({ code: "validation_failed", details: [{ field: "url" }] });
  });
});

test("Matrix gets a transaction for each event, and secrets of addresses are in bodies where they belong", async () => {
  const paths = receiver.received.map(({ path }) => path);
  const put = receiver.received.find(({ path }) => path.startsWith("/_matrix"));
  expect(put?.path.endsWith(`/${put.id}`)).toBe(true);
  expect(put?.method).toBe("PUT");
  const sent = receiver.received.find(({ path }) => path.startsWith("/bot"));
  expect(JSON.parse(sent?.body ?? "")).toMatchObject({ chat_id: "-100", message_thread_id: 7 });
  expect(paths.filter(path => /chat_id|user=/.test(path))).toEqual([]);
});

test("a Telegram that says no is a failure", async () => {
  receiver.behave({ status: 200, body: '{"ok":false,"description":"chat not found"}' });
  const url = receiver.url + addresses.telegram;
  const made = await magpie.request("POST", "/webhooks", { body: { url, format: "telegram" } });
  const { id } = made.json<{ data: { id: string } }>().data;
  await magpie.request("POST", `/webhooks/${id}/test`);
  const listed = async () =>
    (await magpie.request("GET", `/webhooks/${id}/deliveries`)).json<{ data: object[] }>().data;
  await until("it is listed", async () => (await listed()).length > 0);
  expect(await listed()).toContainEqual(expect.objectContaining({ outcome: "failed", error: "status_200" }));
  receiver.behave(200);
});
