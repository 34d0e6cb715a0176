import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";

let magpie: Magpie;
const clients: Socket[] = [];

beforeAll(async () => {
  magpie = await startMagpie();
});

afterAll(async () => {
  for (const client of clients) client.destroy();
  await magpie.stop();
});

const documents = ["/openapi.json", "/docs", "/docs/web", "/guide"];
const ofGuide = ["/guide/webhooks", "/guide/webhooks.md", "/llms.txt", "/llms-full.txt", "/assets/guide.css"];

test.each([...documents, ...ofGuide, "/dashboard", "/dashboard/main.ts"])(
  "a client that has %s is not sent it again",
  async path => {
    const first = await magpie.request("GET", path, { key: null });
    const tag = first.headers.get("etag") ?? "";
    expect([first.status, tag]).toEqual([200, expect.stringMatching(/^"[\w-]{22}"$/)]);
    expect(Number(first.headers.get("content-length"))).toBe(Buffer.byteLength(first.text));
    const again = await magpie.request("GET", path, { key: null, headers: { "if-none-match": tag } });
    expect([again.status, again.text, again.headers.get("etag")]).toEqual([304, "", tag]);
  },
);

test("the guide in one text has links to the name by which it was asked for", async () => {
  const { port } = new URL(magpie.url);
  const texts = await Promise.all(
    ["127.0.0.1", "localhost"].map(async name =>
      (await fetch(`http://${name}:${port}/llms-full.txt`)).text(),
    ),
  );
  expect(texts[0]).toContain(`(http://127.0.0.1:${port}/guide/`);
  expect(texts[1]).toContain(`(http://localhost:${port}/guide/`);
  expect(texts.join()).not.toContain("origin.invalid");
});

async function countOf(route: string): Promise<number> {
  const { text } = await magpie.request("GET", "/metrics");
  const rows = text.matchAll(
    /^magpie_http_requests_total\{method="GET",route="([^"]+)",status="200"\} (\d+)$/gm,
  );
  return Number([...rows].find(([, found]) => found === route)?.[2] ?? 0);
}

test.each([
  ["/llms-full.txt", "/llms-full.txt"],
  ["/guide/webhooks", "/guide/{page}"],
  ["/openapi.json", "/openapi.json"],
  ["/metrics", "/metrics"],
])("connections that ask for %s 300 times and read nothing cost little", async (path, route) => {
  const before = await countOf(route);
  const flood = await Promise.all(
    Array.from({ length: 50 }, async () => {
      const client = connect(Number(new URL(magpie.url).port), "127.0.0.1");
      clients.push(client.on("error", () => undefined));
      await once(client, "connect");
      client.pause();
      client.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(300));
      return client;
    }),
  );
  // What the system itself keeps for a connection is taken; then no answer is made any more.
  let made = -1;
  await until("no more answers are made", async () => {
    const last = made;
    made = await countOf(route);
    // To look is a request as well.
    return made <= last + 1 && made > before + 50;
  });
  expect(made - before).toBeLessThan(50 * 300);
  const { text } = await magpie.request("GET", "/metrics");
  const [, bytes] = /^magpie_http_untaken_bytes (\d+)$/m.exec(text) ?? [];
  expect(Number(bytes)).toBeLessThanOrEqual(128 * 1024 * 1024);
  for (const client of flood) client.destroy();
});
