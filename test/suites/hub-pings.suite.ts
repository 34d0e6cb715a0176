import { parseAtomFeed } from "feedsmith";
import type { ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { logMixin } from "../../mixins/event-log/event-log.mixin.ts";
import type { EventLog } from "../../mixins/event-log/event-log.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import type { Magpie } from "../support/magpie.ts";
import type { Receiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

/** An installation, embedded or a cluster, with what appends to its logs, and the hub that it tells. */
export interface HubWorld {
  magpie: Pick<Magpie, "request">;
  log: EventLog;
  hub: Receiver;
}

export const hubServices: ((config: Config) => ServiceSchema)[] = [
  keysService,
  webhookDispatcherService,
  config => ({ name: "writer", mixins: [logMixin(config)] }),
];

export function hubOverrides(hub: Receiver): Partial<Config> {
  const { egressAllow, feeds, publicUrl } = toConfig({
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBSUB_HUB: `${hub.url}/publish`,
    PUBLIC_URL: "https://magpie.example.com",
  });
  return { egressAllow, feeds, publicUrl, keysPerOwner: 100 };
}

const collectedMs = 30_000;

/** Pings of the hub, by the services themselves. */
export function hubPingsSuite(worldOf: () => HubWorld): void {
  const newKey = async () => {
    const body = { owner: "ann", name: "n" };
    const made = await worldOf().magpie.request("POST", "/internal/keys", { admin: true, body });
    return made.json<{ data: { id: string; key: string } }>().data;
  };
  const create = async (key: string, body: object) => {
    const made = await worldOf().magpie.request("POST", "/feeds", { key, body });
    return made.json<{ data: { token: string; atom_url: string; json_url: string } }>().data;
  };
  let appended = 0;
  const append = async (...keyIds: string[]) => {
    appended += 1;
    const timestamp = new Date().toISOString();
    const event = { bodyId: `hub-${appended}`, type: "webhook.test" as const, timestamp };
    await worldOf().log.append([{ ...event, data: { source: null }, keyIds }]);
  };
  /** The topics of each ping, for a feed. */
  const toldOf = ({ atom_url }: { atom_url: string }) =>
    worldOf()
      .hub.received.map(({ body }) => new URLSearchParams(body))
      .filter(form => form.getAll("hub.url").includes(atom_url));

  test("feeds name the hub, and it hears by itself of those that have news", async () => {
    const { id, key } = await newKey();
    const wanted = await create(key, { event_types: ["webhook.test"] });
    const other = await create(key, { event_types: ["web.page.changed"] });
    expect(wanted.atom_url).toBe(`https://magpie.example.com/feeds/${wanted.token}.atom`);
    const { text } = await worldOf().magpie.request("GET", `/feeds/${wanted.token}.atom`, { key: null });
    const hub = { rel: "hub", href: `${worldOf().hub.url}/publish` };
    expect(parseAtomFeed(text).links).toContainEqual(expect.objectContaining(hub));
    for (let times = 0; times < 5; times += 1) await append(id);
    await until("it heard", () => toldOf(wanted).length > 0, collectedMs);
    const [form] = toldOf(wanted);
    expect(form?.get("hub.mode")).toBe("publish");
    expect(form?.getAll("hub.url")).toEqual([wanted.atom_url, wanted.json_url]);
    expect(toldOf(other)).toEqual([]);
  });

  test("each key's feeds are told of once a round, whichever node made them", async () => {
    // The feeds were read before: these are new.
    const keys = await Promise.all(Array.from({ length: 6 }, newKey));
    const feeds = await Promise.all(keys.map(({ key }) => create(key, {})));
    for (const round of [1, 2]) {
      await append(...keys.map(({ id }) => id));
      await until("each is told of", () => feeds.every(feed => toldOf(feed).length >= round), collectedMs);
    }
    // A node that tells what another has told would be no later than the second round.
    expect(feeds.map(feed => toldOf(feed).length)).toEqual(feeds.map(() => 2));
  });
}
