import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../../mixins/config/config.ts";
import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { call } from "../../../services/contracts/action.ts";
import {
  pollSource,
  type ResolvedSource,
  resolveSource,
} from "../../../services/contracts/connectors.contract.ts";
import { removeFolder } from "../../support/folders.ts";
import { type Site, startSite } from "../../support/http-site.ts";

let broker: ServiceBroker;
let site: Site;
let dataDir: string;
let items: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-real-changes-"));
  site = await startSite((_, response) => {
    response.writeHead(200, { "content-type": "application/rss+xml" }).end(
      `<?xml version="1.0"?><rss version="2.0"><channel><title>News</title><link>${site.url}/</link>
      <description>d</description>${items.map(item => `<item>${item}</item>`).join("")}</channel></rss>`,
    );
  });
  broker = new ServiceBroker({ logger: false });
  broker.createService(
    connectorsService({ ...toConfig({}), dataDir, egressAllow: ["127.0.0.1"], pollMinIntervalMs: 10 }),
  );
  await broker.start();
});
afterAll(async () => {
  await broker.stop();
  await site.close();
  await removeFolder(dataDir);
});

let source: ResolvedSource;

/** Tracks the feed as it is now. */
async function track(): Promise<void> {
  source = await call(broker, resolveSource, { kind: "rss", sid: `${site.url}/feed.xml` });
  expect(await news()).toEqual([]);
}

/** What the next polls tell: the type of each event, and the title of its item. */
async function news(): Promise<string[]> {
  const { kind, externalId } = source;
  const result = await call(broker, pollSource, { kind, externalId, state: source.state, failures: 0 });
  if (!result.ok) throw new Error(result.reason);
  source.state = result.state;
  const told = result.posts.map(
    ({ type, data }) => `${type.split(".").at(-1)} ${(data as { item: { title: string } }).item.title}`,
  );
  return result.more ? [...told, ...(await news())] : told;
}

const dated = (n: number, day = n) =>
  `<guid>${n}</guid><title>No ${n}</title><pubDate>${new Date(Date.UTC(2020, 0, day)).toUTCString()}</pubDate>`;
const many = (count: number, item: (n: number) => string) =>
  Array.from({ length: count }, (_, n) => item(n + 1));

test("1,500 items without dates, the oldest first: a new one at the end", async () => {
  items = many(1500, n => `<guid>${n}</guid><title>No ${n}</title>`);
  await track();
  items.push("<guid>new</guid><title>New</title>");
  expect(await news()).toEqual(["created New"]);
});

test("1,500 dated items: a new one with an older date", async () => {
  items = many(1500, n => dated(n)).toReversed();
  await track();
  items.splice(1400, 0, dated(2000, 50));
  expect(await news()).toEqual(["created No 2000"]);
});

test.each([
  ["no guid", ""],
  ["one guid for all", "<guid>same</guid>"],
])("items that share a link, with %s: each new one", async (_, guid) => {
  const entry = (title: string) => `${guid}<title>${title}</title><link>${site.url}/changelog</link>`;
  items = ["Two", "One"].map(entry);
  await track();
  items = ["Five", "Four", "Three", "Two", "One"].map(entry);
  expect((await news()).sort()).toEqual(["created Five", "created Four", "created Three"]);
});

test("a date in the text of an item that becomes another", async () => {
  const entry = (day: number) =>
    `<guid>1</guid><title>Heron</title><description>Launch: December ${day}, 2026, 14:30 UTC</description>`;
  items = [entry(4)];
  await track();
  items = [entry(9)];
  expect(await news()).toEqual(["updated Heron"]);
});
