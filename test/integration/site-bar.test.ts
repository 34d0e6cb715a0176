import type { Config } from "../../mixins/config/config.ts";
import { watchOverrides, watchServices } from "../suites/watches.suite.ts";
import { type Expected, nothing, together } from "../support/edited-site/edits.ts";
import { type Ask, type FollowedSite, followSite } from "../support/edited-site/follow-site.ts";
import { type EditedSite, type EditedSiteOptions, startEditedSite } from "../support/edited-site.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";

/** The short form of `npm run bench -- site`: sites of several kinds with edits, of which exactly those are to be told. */

const timeoutMs = 360_000;
/** A round takes 60 times as long. */
const pollMinIntervalMs = 200;

interface Kind {
  name: string;
  options: Partial<EditedSiteOptions>;
  /** Changes of the site, one after the other; each is told before the next one. */
  changes: ((site: EditedSite) => Expected)[];
  /** Bodies after the first round: a page that has changed is read a second time, which confirms it. */
  mostBodies: number;
}

const few = { edits: 5, added: 1, gone: 1, moves: 3 };
const kinds: Kind[] = [
  {
    name: "with sitemaps that say when pages change, and banners",
    options: { pages: 300 },
    changes: [
      site => together(site.edit(1), site.setBanner("The house is closed in August.")),
      site => together(site.edit(2, few), site.setBanner("The house is open again.")),
      site => site.setBanner(null),
    ],
    mostBodies: 150,
  },
  {
    name: "with sitemaps without times",
    options: { pages: 120, sitemaps: "plain" },
    changes: [site => site.edit(1, few), site => site.edit(2, few)],
    mostBodies: 100,
  },
  {
    name: "without sitemaps",
    options: { pages: 120, sitemaps: "none" },
    changes: [site => site.edit(1, few)],
    mostBodies: 100,
  },
  {
    name: "with a footer that says something else at each visit",
    options: { pages: 60, sitemaps: "plain", footer: "rotating" },
    changes: [() => ({ ...nothing, rotating: 1 }), site => site.edit(1, few)],
    mostBodies: Number.POSITIVE_INFINITY,
  },
];

let magpie: Magpie;
/** All sites are tracked at the same time. */
let runs: Map<string, Promise<{ problems: string[]; traffic: EditedSite["traffic"]; first: number }>>;

beforeAll(async () => {
  const services = (config: Config) => [...new Set(watchServices)].map(service => service(config));
  const egressAllow = kinds.map((_, n) => hostOf(n));
  magpie = await startMagpie({ ...watchOverrides(pollMinIntervalMs), egressAllow }, services);
  runs = new Map(kinds.map((kind, n) => [kind.name, run(kind, hostOf(n))]));
  // Each is awaited by its test.
  for (const each of runs.values()) each.catch(() => undefined);
});
afterAll(() => magpie.stop());

const ask: Ask = async (method, path, body) => {
  const reply = await magpie.request(method, path, body ? { body } : {});
  if (reply.status >= 300) throw new Error(`${method} ${path}: ${reply.status} ${reply.text}`);
  return reply.json();
};

/** Each site on a host of its own, which politeness is about. */
function hostOf(n: number): string {
  return `127.0.0.${n + 1}`;
}

async function run({ options, changes }: Kind, host: string) {
  const site = await startEditedSite({ seed: 1, pages: 300, host, ...options });
  try {
    const followed: FollowedSite = await followSite(ask, site, { timeoutMs });
    const first = site.traffic.bodies;
    site.resetTraffic();
    const problems: string[] = [];
    for (const change of changes) problems.push(...(await followed.settled(change(site))));
    return { problems, traffic: site.traffic, first };
  } finally {
    await site.close();
  }
}

test.each(kinds)(
  "tells each edit once, and nothing else, of a site $name",
  async ({ name, options, mostBodies }) => {
    const found = await runs.get(name);
    expect(found?.problems).toEqual([]);
    // The look-up reads the entry page. The next round, which may have begun, asks for what has changed alone.
    if (options.footer !== "rotating") expect(found?.first).toBe((options.pages ?? 0) + 1);
    expect(found?.traffic.bodies).toBeLessThanOrEqual(mostBodies);
  },
  3 * timeoutMs,
);
