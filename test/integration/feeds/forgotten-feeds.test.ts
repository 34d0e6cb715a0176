import type { Periodic } from "../../../mixins/async/periodic.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { createFeed } from "../../../services/webhook-dispatcher/feeds/feeds.ts";
import type { Feeds } from "../../../services/webhook-dispatcher/feeds/open-feeds.ts";
import { webhookDispatcherService } from "../../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type Magpie, startMagpie } from "../../support/magpie.ts";
import { until } from "../../support/until.ts";

let magpie: Magpie;

beforeAll(async () => {
  magpie = await startMagpie({}, config => [keysService(config), webhookDispatcherService(config)]);
});
afterAll(() => magpie.stop());

test("feeds of a key whose deletion was not heard of are removed, those of others stay", async () => {
  const kept = await magpie.request("POST", "/feeds", { body: { name: "Kept" } });
  const { token } = kept.json<{ data: { token: string } }>().data;
  const { feeds, maintenance } = magpie.broker.getLocalService("webhook-dispatcher") as unknown as {
    feeds: Feeds;
    maintenance: Periodic;
  };
  const left = await createFeed(feeds.context, "a-deleted-key", {}, Date.now());
  const statusOf = async (which: string) =>
    (await magpie.request("GET", `/feeds/${which}.atom`, { key: null })).status;
  expect([await statusOf(token), await statusOf(left.data.token)]).toEqual([200, 200]);
  await until("it was swept", async () => {
    await maintenance.run();
    return (await feeds.context.feeds.count()) === 1;
  });
  expect([await statusOf(token), await statusOf(left.data.token)]).toEqual([200, 404]);
});
