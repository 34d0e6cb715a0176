import type { WithLog } from "../../../mixins/event-log/event-log.mixin.ts";
import { type FeedsWorld, feedOverrides, feedServices, feedsOutSuite } from "../../suites/feeds-out.suite.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { until } from "../../support/until.ts";

let magpie: Magpie;
let world: FeedsWorld;

beforeAll(async () => {
  magpie = await startMagpie(feedOverrides, config => feedServices.map(service => service(config)));
  const { log } = magpie.broker.getLocalService("writer") as unknown as WithLog;
  world = { magpie, log };
});
afterAll(() => magpie.stop());

feedsOutSuite(() => world);

test("a feed is not served while the keys service is away: nobody can say whether its key still may", async () => {
  const alone = await startMagpie(feedOverrides, config => feedServices.map(service => service(config)));
  try {
    const made = await alone.request("POST", "/feeds", { body: { name: "of a key" } });
    const { atom_url } = made.json<{ data: { atom_url: string } }>().data;
    const read = () => alone.request("GET", new URL(atom_url).pathname, { key: null });
    expect((await read()).status).toBe(200);
    await alone.broker.destroyService(alone.broker.getLocalService("keys"));
    // What a gateway has just read of a key holds for a moment.
    await until("the feed is refused", async () => (await read()).status !== 200);
    const refused = await read();
    expect([refused.status, refused.headers.get("content-type"), refused.json()]).toEqual([
      503,
      expect.stringContaining("application/json"),
      expect.objectContaining({ status: "error", code: "overloaded", retry_after: expect.any(Number) }),
    ]);
    expect(refused.headers.get("retry-after")).toBe(String(refused.json().retry_after));
  } finally {
    await alone.stop();
  }
});
