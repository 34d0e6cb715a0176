import { connectorsService } from "../../../services/connectors/connectors.service.ts";
import { keysService } from "../../../services/keys/keys.service.ts";
import { scraperService } from "../../../services/scraper/scraper.service.ts";
import { trackerService } from "../../../services/tracker/tracker.service.ts";
import { type Site, startSite } from "../../support/http-site.ts";
import { type Magpie, type Reply, startMagpie } from "../../support/magpie.ts";
import { untilWarm } from "../../support/until-warm.ts";

let site: Site;
let magpie: Magpie;
let sid: string;

beforeAll(async () => {
  site = await startSite({
    "/page": `<title>A page</title><main><p>${"Some words of the page. ".repeat(20)}</main>`,
  });
  sid = `${site.url}/page`;
  magpie = await startMagpie({ egressAllow: ["127.0.0.1/32"] }, config => [
    keysService(config),
    trackerService(config),
    connectorsService(config),
    scraperService(config),
  ]);
  await untilWarm(magpie.broker);
});
afterAll(async () => {
  await magpie.stop();
  await site.close();
});

const options = { goal: "The price falls" };
const ask = (method: string, path: string, body: object) => magpie.request(method, path, { body });

function expectRefusal(reply: Reply, field = "options.goal"): void {
  expect([reply.status, reply.json()]).toEqual([
    400,
    expect.objectContaining({
      details: [{ field, code: "not_configured", message: expect.stringContaining("LLM_BASE_URL") }],
    }),
  ]);
}

test("without a model a goal is refused, and the answer says what would help", async () => {
  expectRefusal(await ask("POST", "/track/web", { sid, options }));
  expectRefusal(
    await ask("POST", "/track/batch", { items: [{ source: "web", sid, options }] }),
    "items.0.options.goal",
  );
  expectRefusal(await ask("POST", "/track/web/preview", { sid, options }));
});

test("a watch can be changed where it names no goal", async () => {
  const tracked = await ask("POST", "/track/web", { sid });
  const { id: iid } = tracked.json<{ data: { id: string } }>().data;
  expectRefusal(await ask("PATCH", "/track/web", { iid, options }));
  const changed = await ask("PATCH", "/track/web", { iid, options: { goal: null, ignore: ["closed"] } });
  expect(changed.json()).toMatchObject({ data: { options: { ignore: ["closed"] } } });
});
