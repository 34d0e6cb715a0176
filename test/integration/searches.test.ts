import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { FakeSearxng, searchesSuite } from "../suites/searches.suite.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

const engine = new FakeSearxng();
let magpie: Magpie;

const services = [keysService, trackerService, connectorsService, historyService, scraperService];

beforeAll(async () => {
  const searxngUrl = await engine.start();
  magpie = await startMagpie({ searxngUrl, pollMinIntervalMs: 100 }, config =>
    services.map(service => service(config)),
  );
});
afterAll(async () => {
  await magpie?.stop();
  await engine.close();
});

searchesSuite(
  () => ({ magpie, brokers: [magpie.broker] }),
  () => engine,
);

test.each([
  [{ sid: "a".repeat(401) }, "sid"],
  [{ sid: "gulls", options: { domains: ["https://example.com/"] } }, "options.domains.0"],
  [{ sid: "gulls", options: { select: ["p"] } }, "options.select"],
  [{ sid: "gulls", options: { window: "hour" } }, "options.window"],
  [{ sid: "gulls", options: { schedule: { time_zone: "UTC", cron: "9 o'clock" } } }, "options.schedule.cron"],
  [
    { sid: "gulls", options: { schedule: { time_zone: "UTC", cron: "0 9 * * *", from: "08:00" } } },
    "options.schedule.from",
  ],
])("%j is refused", async (body, field) => {
  const reply = await magpie.request("POST", "/track/search", { body });
  expect(reply.status).toBe(400);
  expect(reply.json()).toMatchObject({ details: [{ field }] });
});

test("without a search engine the answer names the setting", async () => {
  const without = await startMagpie({}, config => services.map(service => service(config)));
  try {
    const reply = await without.request("POST", "/track/search", { body: { sid: "gulls" } });
    expect(reply.status).toBe(400);
    expect(reply.text).toContain("SEARXNG_URL");
  } finally {
    await without.stop();
  }
});
