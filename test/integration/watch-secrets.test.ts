import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type Service, startService } from "../docs/service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

const secrets = [
  "header-of-the-watch-3141592653",
  "cookie-of-the-watch-2718281828",
  "body-of-the-watch-1414213562",
] as const;
const [header, cookie, token] = secrets;
const options = {
  headers: { authorization: `Bearer ${header}`, "x-pass": header },
  cookies: { session: cookie },
  method: "POST",
  body: { token },
};

let site: Site;
let collector: Site;
let receiver: Receiver;
let service: Service;
let traces = "";
/** What the site does with a request that has the header: shows the page, refuses, breaks off, or sends it away. */
let mode: "page" | "refuse" | "break" | "away" = "page";
let price = 30;
/** All answers of the API. */
const answers: string[] = [];

beforeAll(async () => {
  receiver = await startReceiver();
  collector = await startSite((request, response) => {
    request.on("data", chunk => {
      traces += chunk;
    });
    request.on("end", () => response.writeHead(200).end("{}"));
  });
  site = await startSite((request, response) => {
    if (request.headers["x-pass"] !== header || mode === "refuse") return response.writeHead(403).end("No.");
    if (mode === "break") return request.socket.destroy();
    if (mode === "away") return response.writeHead(302, { location: `${collector.url}/away` }).end();
    return response
      .writeHead(200, { "content-type": "text/html", "set-cookie": "visit=1" })
      .end(`<title>Prices</title><main><h1>Prices</h1><p>What the members of the club pay for a nest box:</p>
        <p class="price">The box costs ${price} euros today.</p></main>`);
  });
  service = await startService({
    ...{ LOG_LEVEL: "debug", POLL_MIN_INTERVAL: "1s" },
    ...{ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url },
  });
});
afterAll(async () => {
  await service.stop();
  await Promise.all([site, collector, receiver].map(each => each.close()));
});

async function ask(method: string, path: string, body?: object, admin = false): Promise<[number, string]> {
  const response = await fetch(service.url + path, {
    method,
    headers: {
      "content-type": "application/json",
      ...(admin ? { "x-admin-key": service.adminKey } : { "x-api-key": service.apiKey }),
    },
    signal: AbortSignal.timeout(60_000),
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  answers.push(text);
  return [response.status, text];
}

const problem = async () => {
  const [, text] = await ask("GET", "/track");
  return (JSON.parse(text) as { data: { problem: string | null }[] }).data[0]?.problem ?? null;
};

async function stored(): Promise<string> {
  const entries = await readdir(join(service.folder, "data"), { recursive: true, withFileTypes: true });
  const files = entries.filter(entry => entry.isFile());
  const contents = await Promise.all(files.map(({ parentPath, name }) => readFile(join(parentPath, name))));
  return Buffer.concat(contents).toString("latin1");
}

test("headers, cookies and the body of a watch are in no log, trace, answer, event or file", async () => {
  const sid = `${site.url}/members`;
  await ask("POST", "/webhook", { url: `${receiver.url}/hook` });
  const [status, made] = await ask("POST", "/track/web", { sid, options });
  expect([200, 201]).toContain(status);
  const { id: iid } = (JSON.parse(made) as { data: { id: string } }).data;
  expect((await ask("POST", "/track/web/preview", { sid, options, with_page: true }))[0]).toBe(200);
  const items = [{ source: "web", sid: `${sid}/of-a-batch`, options }];
  expect((await ask("POST", "/track/batch", { items }))[0]).toBe(200);
  const targets = [{ source: "web", sids: [`${sid}/of-a-monitor`], options }];
  const monitor = { name: "Prices", schedule: { text: "daily" }, targets };
  const [monitored, shown] = await ask("POST", "/monitors", monitor);
  expect([monitored, shown]).toEqual([201, expect.stringContaining('"body":"•••"')]);

  price = 20;
  await until("the change is told", () =>
    receiver.received.some(({ event }) => event.type === "web.page.changed"),
  );
  for (const trouble of ["refuse", "break", "away"] as const) {
    mode = trouble;
    await until(`${trouble} is a problem`, async () => (await problem()) !== null);
    await ask("POST", "/track/web/preview", { sid, options });
    await ask("POST", "/track/web", { sid: `${sid}/${trouble}`, options });
    mode = "page";
    await ask("POST", "/track/web/poll", { iid });
    await until("it is well again", async () => (await problem()) === null);
  }
  // Refusals name the option, not its value.
  for (const wrong of [
    { headers: { "x-pass": `${header}\n` } },
    { headers: { host: header } },
    { cookies: { session: `${cookie};` } },
    { cookies: { session: 1 } },
    { ...options, select: ["p["] },
    { ...options, method: "GET" },
  ]) {
    const [refused, text] = await ask("POST", "/track/web", { sid, options: wrong });
    expect([refused, text]).toEqual([400, expect.any(String)]);
  }
  await ask("PATCH", "/track/web", { iid, options: { cookies: { session: `${cookie}2` } } });
  await ask("PATCH", "/track/web", { iid, options: { body: `token=${token}` } });
  for (const path of ["/track", "/events", "/track/opml", "/webhook/deliveries"]) await ask("GET", path);
  await ask("GET", "/internal/sources", undefined, true);
  await until("polls are traced", () => traces.includes("connectors.pollViews"));

  expect(site.hits.some(({ headers }) => headers.cookie?.includes(cookie))).toBe(true);
  const log = service.output();
  expect(log).toContain("source.polled");
  const places = {
    log,
    traces,
    answers: answers.join("\n"),
    webhooks: JSON.stringify(receiver.received),
    files: await stored(),
    away: JSON.stringify(collector.hits),
  };
  for (const [place, text] of Object.entries(places))
    expect([place, secrets.filter(secret => text.includes(secret))]).toEqual([place, []]);
});
