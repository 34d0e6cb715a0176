import { toConfig } from "../../mixins/config/config.ts";
import type { WithLog } from "../../mixins/event-log/event-log.mixin.ts";
import type { NewEvent } from "../../mixins/event-log/event-log.ts";
import { endpointOverrides, endpointServices } from "../suites/webhook-endpoints.suite.ts";
import { makeDigestDue, storedLane } from "../support/digest-due.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { linkIn, type MailServer, type ReceivedMail, startMailServer } from "../support/mail-server.ts";
import { until } from "../support/until.ts";

let magpie: Magpie;
let server: MailServer;
let client: { id: string; key: string };
let count = 0;

beforeAll(async () => {
  server = await startMailServer({ login: "magpie:secret-of-smtp" });
  const { mail, publicUrl } = toConfig({
    SMTP_URL: server.url,
    SMTP_FROM: "Magpie <magpie@example.com>",
    PUBLIC_URL: "https://magpie.example.com",
  });
  magpie = await startMagpie({ ...endpointOverrides, mail, publicUrl }, config =>
    endpointServices.map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie?.stop();
  await server?.close();
});
beforeEach(async () => {
  server.behave(() => undefined);
  client = await newKey();
});

async function newKey(): Promise<typeof client> {
  const body = { owner: "ann", name: "n" };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: typeof client }>().data;
}

interface Endpoint {
  id: string;
  url: string;
  status: string;
  digest: string | null;
  waiting: number;
  secret?: string;
}

function ask(method: string, path: string, body?: object, key: string | null = client.key): Promise<Reply> {
  return magpie.request(method, path, { key, ...(body && { body }) });
}

function newAddress(): string {
  count += 1;
  return `person-${count}@example.org`;
}

async function add(address: string, options: object = {}): Promise<Endpoint> {
  const reply = await ask("POST", "/webhooks", { url: `mailto:${address}`, ...options });
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.json<{ data: Endpoint }>().data;
}

const show = async (id: string) => (await ask("GET", `/webhooks/${id}`)).json<{ data: Endpoint }>().data;
const mailsTo = (address: string) => server.mails.filter(({ to }) => to === address);
const newsTo = (address: string) => mailsTo(address).filter(({ headers }) => headers.has("list-unsubscribe"));

async function question(address: string, number = 0): Promise<ReceivedMail | undefined> {
  const questions = () => mailsTo(address).filter(mail => linkIn(mail, "confirm") !== "");
  await until("the owner is asked", () => questions().length > number);
  return questions()[number];
}

async function confirm(address: string): Promise<void> {
  const reply = await ask("POST", linkIn(await question(address), "confirm"), undefined, null);
  expect([reply.status, reply.text]).toEqual([200, expect.stringContaining("is confirmed")]);
}

async function append(...titles: string[]): Promise<void> {
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  const events = titles.map((title): NewEvent => {
    count += 1;
    return {
      bodyId: `mail-${count}`,
      type: "rss.item.created",
      timestamp: new Date().toISOString(),
      data: {
        source: { id: "a", source: "RSS", externalId: "https://a.test/", username: "a", name: "Corvids" },
        item: {
          id: title,
          title,
          url: "https://a.test/one",
          content_html: `<p>All about <b>${title}</b></p>`,
        },
      },
      keyIds: [client.id],
    };
  });
  await log.append(events);
}

test("an address gets events once its owner has agreed, and what came before as well", async () => {
  const address = newAddress();
  const endpoint = await add(address);
  expect(endpoint).toMatchObject({ url: `mailto:${address}`, status: "UNCONFIRMED", digest: null });
  await append("Ravens");
  const asked = await question(address);
  expect(asked?.headers.get("subject")).toEqual(["Confirm your address"]);
  const link = linkIn(asked, "confirm");
  const page = await ask("GET", link, undefined, null);
  expect([page.status, page.text]).toEqual([200, expect.stringContaining('<form method="post">')]);
  expect(page.headers.get("referrer-policy")).toBe("no-referrer");
  expect(await show(endpoint.id)).toMatchObject({ status: "UNCONFIRMED" });
  expect(newsTo(address)).toEqual([]);

  await confirm(address);
  await until("the event came", () => newsTo(address).length === 1);
  const [mail] = newsTo(address);
  expect(mail?.headers.get("subject")).toEqual(["Ravens"]);
  expect(mail?.headers.get("from")).toEqual(["Magpie <magpie@example.com>"]);
  expect(mail?.headers.get("to")).toEqual([address]);
  expect(mail?.parts.get("text/plain")).toContain("All about Ravens\nhttps://a.test/one");
  expect(mail?.parts.get("text/html")).toContain("<b>Ravens</b>");
  expect(await show(endpoint.id)).toMatchObject({ status: "ACTIVE" });
  const listed = async () => (await ask("GET", `/webhooks/${endpoint.id}/deliveries`)).text;
  await until("it is listed", async () => (await listed()).includes('"succeeded"'));
  const [attempt] = JSON.parse(await listed()).data;
  expect(attempt).toMatchObject({ url: `mailto:${address}`, http_status: 250, error: null, attempt: 1 });
  expect(mail?.id).toBe(`<${attempt.event_id}.${endpoint.id}@example.com>`);
  expect(await listed()).not.toContain("secret-of-smtp");
});

test("addresses and options that a mail cannot have are refused by name", async () => {
  const refused = async (body: object) => {
    const reply = await ask("POST", "/webhooks", body);
    const { code, details } = reply.json<{ code: string; details?: { field: string }[] }>();
    return [reply.status, code, details?.[0]?.field];
  };
  const url = `mailto:${newAddress()}`;
  for (const wrong of [
    "mailto:",
    "mailto:nobody",
    "mailto:a@b.test,c@d.test",
    "mailto:a@b.test?bcc=c@d.test",
    "mailto:a%0d%0aBcc:c@b.test",
    "mailto:a@localhost",
    "mailto:a@127.0.0.1",
    "mailto:%zz@b.test",
  ])
    expect([wrong, await refused({ url: wrong })]).toEqual([wrong, [400, "invalid_url", "url"]]);
  expect(await refused({ url, format: "slack" })).toEqual([400, "validation_failed", "format"]);
  expect(await refused({ url, headers: { "x-a": "b" } })).toEqual([400, "validation_failed", "headers"]);
  expect(await refused({ url, digest: "1h", batch: {} })).toEqual([400, "validation_failed", "digest"]);
  expect(await refused({ url, digest: "2h" })).toEqual([400, "validation_failed", "digest"]);
  expect(await refused({ url: "https://example.com/hook", digest: "1h" })).toEqual([
    400,
    "validation_failed",
    "digest",
  ]);
  expect((await ask("POST", "/webhook", { url })).status).toBe(400);
  expect((await ask("GET", "/webhooks")).json<{ data: unknown[] }>().data).toEqual([]);
});

test("only this key's owner's answer counts, another address is asked again, and questions are few", async () => {
  const address = newAddress();
  const first = await add(address);
  await confirm(address);
  await until("it is active", async () => (await show(first.id)).status === "ACTIVE");
  client = await newKey();
  const second = await add(address);
  expect(second.status).toBe("UNCONFIRMED");
  await question(address, 1);
  const third = await ask("POST", "/webhooks", { url: `mailto:${address.replace("@", "+more@")}` });
  expect(third.status).toBe(201);
  const fourth = await ask("POST", "/webhooks", { url: `mailto:${address}` });
  expect([fourth.status, Number(fourth.headers.get("retry-after"))]).toEqual([429, expect.any(Number)]);

  const other = newAddress();
  const changed = await ask("PATCH", `/webhooks/${second.id}`, { url: `mailto:${other}` });
  expect(changed.json<{ data: Endpoint }>().data).toMatchObject({ status: "UNCONFIRMED" });
  const stale = linkIn(await question(address, 1), "confirm");
  expect((await ask("POST", stale, undefined, null)).status).toBe(404);
  await confirm(other);
  expect(await show(second.id)).toMatchObject({ status: "ACTIVE", url: `mailto:${other}` });
  const tampered = stale.replace(/.{4}$/, "AAAA");
  for (const method of ["GET", "POST"])
    expect((await ask(method, tampered, undefined, null)).status).toBe(404);
});

test("one click ends the mails and takes the consent back", async () => {
  const address = newAddress();
  const endpoint = await add(address, { format: "text", template: "{{title}} <b>" });
  await confirm(address);
  await append("Rooks");
  await until("it came", () => newsTo(address).length === 1);
  const [mail] = newsTo(address);
  expect([...(mail?.parts.keys() ?? [])]).toEqual(["text/plain"]);
  expect(mail?.parts.get("text/plain")).toContain("Rooks <b>\n\n-- \n");
  expect(mail?.headers.get("list-unsubscribe-post")).toEqual(["List-Unsubscribe=One-Click"]);
  const url = /^<https:\/\/magpie\.example\.com(\/mail\/unsubscribe\/[^>]+)>$/;
  const [, path = ""] = url.exec(mail?.headers.get("list-unsubscribe")?.[0] ?? "") ?? [];
  expect((await ask("GET", path, undefined, null)).text).toContain("<form");
  expect(await show(endpoint.id)).toMatchObject({ status: "ACTIVE" });
  const clicked = await magpie.request("POST", path, {
    key: null,
    body: "List-Unsubscribe=One-Click",
    headers: { "content-type": "application/x-www-form-urlencoded" },
  });
  expect(clicked.status).toBe(200);
  expect(await show(endpoint.id)).toMatchObject({ status: "DISABLED" });
  const attempts = (await ask("GET", `/webhooks/${endpoint.id}/deliveries`)).json<{
    data: { id: string }[];
  }>();
  const again = await ask("POST", `/webhooks/${endpoint.id}/deliveries/${attempts.data[0]?.id}/retry`);
  expect(again.status).toBe(409);
  const enabled = await ask("PATCH", `/webhooks/${endpoint.id}`, { enabled: true });
  expect(enabled.json<{ data: Endpoint }>().data.status).toBe("UNCONFIRMED");
  await append("Jays");
  await question(address, 1);
  expect(newsTo(address)).toHaveLength(1);
});

test("what passes is tried again and fails no endpoint; what the server refuses for good counts", async () => {
  const address = newAddress();
  const endpoint = await add(address);
  await confirm(address);
  let tries = 0;
  server.behave(({ stage, to }) => {
    if (stage !== "recipient" || to !== address) return undefined;
    tries += 1;
    return tries > 7 ? undefined : "450 4.2.0 Greylisted";
  });
  await append("Ravens");
  await until("it came", () => newsTo(address).length === 1);
  expect(tries).toBe(8);
  const attempts = async () =>
    (await ask("GET", `/webhooks/${endpoint.id}/deliveries`)).json<{ data: Record<string, unknown>[] }>()
      .data;
  await until("all are listed", async () => (await attempts()).length === 8);
  expect(await show(endpoint.id)).toMatchObject({ status: "ACTIVE", failures: 0 });
  expect((await attempts()).at(-1)).toMatchObject({ http_status: 450, error: "smtp", outcome: "failed" });

  server.behave(({ stage, to }) => (stage === "content" && to === address ? "554 5.7.1 Spam" : undefined));
  await append("Rooks");
  await until("it is set aside", async () => (await attempts())[0]?.outcome === "dead");
  await until("nothing waits", async () => (await show(endpoint.id)).waiting === 0);
  expect(await show(endpoint.id)).toMatchObject({ status: "ACTIVE" });
  server.behave(({ stage }) => (stage === "recipient" ? "550 5.1.1 No such mailbox" : undefined));
  const before = server.asked.recipient;
  await append("Jays");
  await until("nobody is there", async () => (await show(endpoint.id)).status === "FAILED");
  expect(server.asked.recipient).toBe(before + 1);
});

test("a digest is one mail with all events, and says where those are that it does not show", async () => {
  const address = newAddress();
  const endpoint = await add(address, { digest: "1h" });
  await confirm(address);
  await append("First");
  await until("it has its time", async () => Boolean((await storedLane(magpie.broker, client.id))?.digest));
  const titles = Array.from({ length: 1_500 }, (_, n) => `Item ${n}`);
  await append(...titles);
  const lane = await storedLane(magpie.broker, client.id);
  expect(lane?.digest?.dueAt).toBeGreaterThan(Date.now() + 3_000_000);
  expect(newsTo(address)).toEqual([]);
  let failed = 0;
  server.behave(({ stage, to }) => {
    if (stage !== "content" || to !== address || failed === 2) return undefined;
    failed += 1;
    return "451 4.3.0 Later";
  });
  await makeDigestDue(magpie.broker, client.id);
  await until("it came", () => newsTo(address).length === 1);
  const [mail] = newsTo(address);
  expect(mail?.headers.get("subject")).toEqual(["1,501 events: First"]);
  expect(mail?.parts.get("text/plain")).toContain("Item 48\n");
  expect(mail?.parts.get("text/plain")).toContain(
    "… and 1,451 more: GET https://magpie.example.com/events?after=50\n",
  );
  expect(mail?.id).toMatch(new RegExp(`^<dig_[\\w-]+\\.${endpoint.id}@example\\.com>$`));
  await until("all is done", async () => (await storedLane(magpie.broker, client.id))?.position === 1_501);
  expect((await storedLane(magpie.broker, client.id))?.digest).toBeUndefined();
  const attempts = async () =>
    (await ask("GET", `/webhooks/${endpoint.id}/deliveries?limit=100`)).json<{
      data: { outcome: string }[];
    }>().data;
  await until("they are listed", async () => (await attempts())[0]?.outcome === "succeeded");
  expect(failed).toBe(2);

  await append("Next");
  await until("the next has its time", async () =>
    Boolean((await storedLane(magpie.broker, client.id))?.digest),
  );
  const patched = await ask("PATCH", `/webhooks/${endpoint.id}`, { digest: null });
  expect(patched.json<{ data: Endpoint }>().data).toMatchObject({ digest: null, status: "ACTIVE" });
  await until("it came alone", () => newsTo(address).length === 2);
  expect(newsTo(address)[1]?.headers.get("subject")).toEqual(["Next"]);
  await ask("PATCH", `/webhooks/${endpoint.id}`, { digest: "15m", event_types: ["web.page.changed"] });
  await append("Unwanted");
  const { data } = (await ask("GET", "/webhooks")).json<{ data: Endpoint[] }>();
  expect(data).toMatchObject([{ digest: "15m", waiting: 0 }]);
  await ask("PATCH", `/webhooks/${endpoint.id}`, { event_types: null });
  await append("Wanted");
  await until("it has its time", async () => Boolean((await storedLane(magpie.broker, client.id))?.digest));
  await makeDigestDue(magpie.broker, client.id);
  await until("the digest came", () => newsTo(address).length === 3);
  expect(newsTo(address)[2]?.headers.get("subject")).toEqual(["Wanted"]);
});
