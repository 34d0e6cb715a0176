import type { Config } from "../../mixins/config/config.ts";
import { watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { together } from "../support/edited-site/edits.ts";
import { type Ask, followSite } from "../support/edited-site/follow-site.ts";
import { type EditedSite, type EditedSiteOptions, startEditedSite } from "../support/edited-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

/** The short form of the bar of `npm run bench -- site`: whole sites, each with edits of which exactly those are to be told. */

const pages = 300;
const timeoutMs = 240_000;
/** A round takes a minute where polls may come each second. */
const pollMinIntervalMs = 1000;
let magpie: Magpie;

beforeAll(async () => {
  const services = (config: Config) => [...new Set(watchServices)].map(service => service(config));
  magpie = await startMagpie(watchOverrides(pollMinIntervalMs), services);
});
afterAll(() => magpie.stop());

const ask: Ask = async (method, path, body) => {
  const reply = await magpie.request(method, path, body ? { body } : {});
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.json();
};

async function withSite(options: Partial<EditedSiteOptions>, work: (site: EditedSite) => Promise<void>) {
  const site = await startEditedSite({ seed: 1, pages, ...options });
  try {
    await work(site);
  } finally {
    await site.close();
  }
}

test("tells each edit of a site once, a banner as one, and asks for few bodies", () =>
  withSite({}, async site => {
    const followed = await followSite(ask, site, { timeoutMs });
    // The look-up reads the entry page.
    expect(site.traffic.bodies).toBe(pages + 1);
    site.resetTraffic();
    const due = together(site.edit(1), site.setBanner("The house is closed in August."));
    expect(await followed.settled(due)).toEqual([]);
    console.log(site.traffic);
    const again = together(site.edit(2, { edits: 5, added: 0, gone: 0, moves: 0 }), site.setBanner(null));
    expect(await followed.settled(again)).toEqual([]);
    console.log(site.traffic);
  }));
