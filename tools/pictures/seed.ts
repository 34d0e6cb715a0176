import { setTimeout as sleep } from "node:timers/promises";
import { ServiceBroker } from "moleculer";
import { toConfig } from "../../mixins/config/config.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { call } from "../../services/contracts/action.ts";
import { countUsage, createKey } from "../../services/contracts/keys.contract.ts";
import { keysService } from "../../services/keys/keys.service.ts";

export interface SeededKey {
  id: string;
  key: string;
  owner: string;
  name: string;
}

const names: [owner: string, name: string, requestsADay: number][] = [
  ["harbour-office", "production", 2400],
  ["harbour-office", "staging", 420],
  ["corvid-lab", "newsroom", 1300],
  ["corvid-lab", "research", 760],
  ["tide-tables", "price-watch", 300],
];

/** Quotas of the key whose pages are taken. */
const quotas = { day: { pages: 100, rendered: 100 }, month: { crawled: 50_000 } };

const dayMs = 86_400_000;
const days = 60;

/** Keys of several owners in a data folder, with two months of requests. No service may run in it meanwhile. */
export async function seedKeys(dataDir: string): Promise<SeededKey[]> {
  const config = { ...toConfig({}), dataDir, port: 0 };
  const broker = new ServiceBroker({
    ...brokerOptions(config),
    logger: false,
    skipProcessEventRegistration: true,
  });
  broker.createService(keysService(config));
  await broker.start();
  try {
    const keys: SeededKey[] = [];
    for (const [owner, name, requestsADay] of names) {
      const { data } = await call(broker, createKey, {
        owner,
        name,
        ...(name === "production" && { quotas }),
      });
      keys.push({ id: data.id, key: data.key, owner, name });
      await call(broker, countUsage, { counts: countsOf(data.id, requestsADay) });
    }
    return keys;
  } finally {
    await broker.stop();
  }
}

/** More in the middle of the week, and more from month to month; the same each time. */
function countsOf(keyId: string, requestsADay: number) {
  return Array.from({ length: days }, (_, at) => {
    const date = new Date(Date.now() - at * dayMs);
    const weekday = [0.45, 0.9, 1.1, 1.15, 1.05, 0.95, 0.5][date.getUTCDay()] ?? 1;
    const wave = 1 + 0.2 * Math.sin((at + requestsADay) / 3);
    const requests = Math.max(1, Math.round(requestsADay * weekday * wave * (1 - at / (days * 2))));
    return { keyId, day: date.toISOString().slice(0, 10), requests };
  });
}

type Ask = (method: string, path: string, key: string, body?: object) => Promise<unknown>;

/** What the keys have: they track, and their events are delivered. */
export async function seedLife(
  ask: Ask,
  [production, staging, newsroom, research]: SeededKey[],
  site: string,
) {
  if (!production || !staging || !newsroom || !research) throw new TypeError("there are four keys at least");
  await ask("POST", "/webhook", production.key, { url: `${site}/hooks/production` });
  await ask("POST", "/webhook", newsroom.key, { url: `${site}/hooks/down` });
  const endpoints = [
    { url: `${site}/alarm`, name: "Alarm of the harbour", format: "ntfy", tags: ["storm", "flood"] },
    { url: `${site}/hooks/down`, name: "Archive", batch: { max_events: 100, max_wait_ms: 5000 } },
    { url: `${site}/hooks/paused`, enabled: false, event_types: ["web.page.changed", "rss.item.created"] },
    { url: "mailto:readers@harbour.example", name: "Readers of the harbour news", digest: "1d" },
    {
      destination: { type: "folder", path: "harbour/news" },
      name: "Archive of the harbour",
      batch: { max_events: 1000, max_wait_ms: 5000 },
    },
  ];
  for (const endpoint of endpoints) await ask("POST", "/webhooks", production.key, endpoint);
  const feeds = [
    { name: "Boats that came in", event_types: ["rss.item.created"], tags: ["harbour"] },
    { name: "Everything" },
    { event_types: ["web.page.changed", "source.failing", "source.recovered", "source.gone"] },
  ];
  for (const feed of feeds) await ask("POST", "/feeds", production.key, feed);
  const tracked: [SeededKey, string, object][] = [
    [
      production,
      "/track/rss",
      { sid: `${site}/feeds/arrivals.atom`, options: { tags: ["harbour", "daily"] } },
    ],
    [production, "/track/rss", { sid: `${site}/feeds/departures.atom` }],
    [production, "/track/web", { sid: `${site}/`, options: { select: ["table"], tags: ["harbour"] } }],
    [
      production,
      "/track/web",
      {
        sid: `${site}/tickets`,
        options: { tags: ["harbour"], when: { value: { select: ".fare", changed_by_percent: 0.1 } } },
      },
    ],
    [production, "/track/microblog", { sid: "corvid_lab" }],
    [newsroom, "/track/microblog", { sid: "corvid_lab" }],
    [newsroom, "/track/rss", { sid: `${site}/feeds/weather.atom` }],
    [research, "/track/rss", { sid: `${site}/feeds/arrivals.atom` }],
  ];
  for (const [{ key }, path, body] of tracked) await ask("POST", path, key, body);
}

const patienceMs = 240_000;

/** A documentation that is tracked as a whole, until a change of it is told, and a monitor that has been checked twice. */
export async function seedSite(ask: Ask, [production]: SeededKey[], site: string): Promise<void> {
  const { key } = production as SeededKey;
  await ask("POST", "/track/site", key, { sid: `${site}/docs/`, options: { tags: ["docs"] } });
  const monitor = {
    name: "Fares and berths",
    schedule: { text: "every weekday at 9:00", time_zone: "Europe/Vienna" },
    targets: [{ source: "web", sids: [`${site}/tickets`, `${site}/`] }],
  };
  const { data } = (await ask("POST", "/monitors", key, monitor)) as { data: { id: string } };
  for (let checks = 0; checks < 2; checks++) {
    await ask("POST", `/monitors/${data.id}/run`, key);
    await untilIs(async () => {
      const found = (await ask("GET", `/monitors/${data.id}`, key)) as {
        data: { current_check: string | null };
      };
      return found.data.current_check === null;
    });
  }
  await untilIs(async () => {
    const events = (await ask("GET", "/events?types=site.page.changed&types=site.page.removed", key)) as {
      data: unknown[];
    };
    return events.data.length > 1;
  });
}

async function untilIs(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(1000)) if (await isSo()) return;
  throw new Error("The site and the monitor were not ready in time.");
}

/** What the keys do for a while: a few requests a second, more and less as time goes by. */
export async function live(ask: Ask, keys: SeededKey[], site: string, forMs: number): Promise<void> {
  const paths = ["/", "/boats/", "/nothing", "/quay"];
  const began = Date.now();
  for (let at = 0; Date.now() - began < forMs; at++) {
    const { key } = keys[at % 4] as SeededKey;
    if (at % 3 === 0)
      await ask("POST", "/web/scrape", key, { url: site + paths[at % paths.length], mode: "async" });
    else await ask("GET", "/users/me", key);
    await sleep(600 + 400 * Math.sin(at / 90) + 200 * Math.sin(at / 17));
  }
}

/** A crawl that is under way for some minutes. */
export async function startCrawl(ask: Ask, [production]: SeededKey[], site: string): Promise<void> {
  await ask("POST", "/web/crawl", production?.key ?? "", { url: `${site}/boats/`, crawler: { limit: 120 } });
}
