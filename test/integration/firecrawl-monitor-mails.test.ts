import type { Config } from "../../mixins/config/config.ts";
import { toConfig } from "../../mixins/config/config.ts";
import { monitorServices } from "../suites/monitors.suite.ts";
import { watchIntervalMs, watchOverrides } from "../suites/watches.suite.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { linkIn, type MailServer, startMailServer } from "../support/mail-server.ts";
import { until } from "../support/until.ts";

interface Monitor {
  id: string;
  emailRecipientSubscriptions: { email: string; status: string }[];
}

let magpie: Magpie;
let site: Site;
let server: MailServer;
let price = 30;

beforeAll(async () => {
  server = await startMailServer();
  site = await startSite((_, response) => {
    response.writeHead(200, { "content-type": "text/html" });
    const text = "Lamps are made of brass, and burn for twenty years in any room that is known here.";
    return response.end(
      `<!doctype html><title>Lamp</title><main><h1>Lamp</h1><p>${text}</p><p>It costs ${price} euros.</p></main>`,
    );
  });
  const { mail, publicUrl } = toConfig({
    SMTP_URL: server.url,
    SMTP_FROM: "magpie@example.com",
    PUBLIC_URL: "https://magpie.example.com",
  });
  const services = (config: Config) => [...new Set(monitorServices)].map(service => service(config));
  magpie = await startMagpie({ ...watchOverrides(watchIntervalMs), mail, publicUrl }, services);
});
afterAll(async () => {
  await magpie?.stop();
  await Promise.all([site.close(), server.close()]);
});

async function asked<Body>(method: string, path: string, body?: unknown): Promise<Body> {
  const reply = await magpie.request(method, path, { ...(body !== undefined && { body }) });
  expect([reply.status, reply.text]).toEqual([200, reply.text]);
  return reply.json<Body>();
}

async function checked(id: string): Promise<void> {
  const begun = await asked<{ id: string }>("POST", `/v2/monitor/${id}/run`, {});
  await until("the check has ended", async () => {
    const read = await asked<{ data: { status: string } }>("GET", `/v2/monitor/${id}/checks/${begun.id}`);
    return read.data.status !== "running";
  });
}

test("of 25 recipients each is asked, and who has agreed gets a mail of what a check found", async () => {
  const recipients = Array.from({ length: 25 }, (_, at) => `Reader-${at}@example.org`);
  const { data } = await asked<{ data: Monitor }>("POST", "/v2/monitor", {
    ...{ name: "Lamps", schedule: { cron: "0 0 1 1 *" } },
    targets: [{ type: "scrape", urls: [`${site.url}/lamp`] }],
    notification: { email: { enabled: true, recipients } },
  });
  expect(data.emailRecipientSubscriptions).toHaveLength(25);
  const [address = ""] = recipients;
  const mails = () => server.mails.filter(({ to }) => to.toLowerCase() === address.toLowerCase());
  await until("all are asked", () => server.mails.length === 25);
  const link = linkIn(mails()[0], "confirm");
  expect((await magpie.request("POST", link, { key: null })).status).toBe(200);
  const { data: after } = await asked<{ data: Monitor }>("GET", `/v2/monitor/${data.id}`);
  const confirmed = after.emailRecipientSubscriptions.filter(({ status }) => status === "confirmed");
  expect(confirmed.map(({ email }) => email)).toEqual([address.toLowerCase()]);

  // A mail waits for more of its check; this one comes at once.
  const { data: endpoints } = await asked<{ data: { id: string; url: string }[] }>("GET", "/webhooks");
  const own = endpoints.find(({ url }) => url.toLowerCase() === `mailto:${address.toLowerCase()}`);
  await asked("PATCH", `/webhooks/${own?.id}`, { batch: { max_events: 100, max_wait_ms: 0 } });
  await checked(data.id);
  price = 25;
  await checked(data.id);
  await until("the mail came", () => mails().length === 2);
  expect(mails()[1]?.parts.get("text/plain")).toContain("It costs 25 euros.");
  expect(server.mails).toHaveLength(26);
});
