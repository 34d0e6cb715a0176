import type { ServiceBroker, ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { connectorsService } from "../../services/connectors/connectors.service.ts";
import { historyService } from "../../services/history/history.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { scraperService } from "../../services/scraper/scraper.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { type OpenAiServer, type ReceivedRequest, startOpenAiServer } from "../fakes/openai-server.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Magpie, type Reply, startMagpie } from "../support/magpie.ts";
import { until } from "../support/until.ts";
import { untilWarm } from "../support/until-warm.ts";
import type { WatchTracker } from "./watches.suite.ts";

/** Written by hand: a change of the wire breaks it. */
export interface JudgedEvent {
  id: string;
  type: string;
  seq: number;
  data: {
    source: { id: string };
    change?: { title: string; added: string[] };
    item?: { title: string };
    judgement?: {
      judged: boolean;
      meaningful?: boolean;
      confidence?: number;
      reason?: string;
      summary?: string;
      goal: string;
    };
  };
}

/** What a question is about, as the model reads it. */
export interface Asked {
  goal: string;
  kind: string;
  title: string;
  added: string[];
  removed: string[];
  /** All that was sent. */
  whole: string;
}

const { egressAllow, webhooks, browser } = toConfig({
  EGRESS_ALLOW: "127.0.0.1/32",
  WEBHOOK_ALLOW_HTTP: "true",
  WEBHOOK_BACKOFF: "20ms,20ms,20ms,20ms",
});

const minute = 60_000;

type Services = ((config: Config) => ServiceSchema)[];

/** Starts an installation; answers the brokers of its services. */
export type Place = (
  config: Partial<Config>,
  services: Services,
) => Promise<{ magpie: Magpie; brokers: ServiceBroker[] }>;

/** An installation with a model, and a site whose pages say what a test lets them say. */
export class GoalsWorld {
  readonly magpie: Magpie;
  readonly model: OpenAiServer;
  readonly site: Site;
  readonly #said: Map<string, string>;
  readonly #tracker: WatchTracker;
  #made = 0;

  private constructor(
    magpie: Magpie,
    tracker: WatchTracker,
    model: OpenAiServer,
    site: Site,
    said: Map<string, string>,
  ) {
    this.magpie = magpie;
    this.#tracker = tracker;
    this.model = model;
    this.site = site;
    this.#said = said;
  }

  /** `place`: one process, or the nodes of a cluster. */
  static async start(place: Place = inOneProcess): Promise<GoalsWorld> {
    const said = new Map<string, string>();
    const site = await startSite((request, response) => {
      const path = request.url ?? "";
      const type = path.endsWith(".xml") ? "application/rss+xml" : "text/html";
      response.writeHead(200, { "content-type": type }).end(bodyOf(path, said.get(path) ?? "As it was."));
    });
    const model = await startOpenAiServer();
    const llm = { baseUrl: model.baseUrl, model: "stand-in", apiKey: "sk-test-0123456789abcdef" };
    const config = { egressAllow, webhooks, browser, llm, pollMinIntervalMs: minute, keysPerOwner: 1000 };
    const { magpie, brokers } = await place(config, goalServices);
    const local = (name: string) => brokers.find(broker => broker.getLocalService(name)) as ServiceBroker;
    await untilWarm(local("scraper"));
    const tracker = local("tracker").getLocalService("tracker") as unknown as WatchTracker;
    return new GoalsWorld(magpie, tracker, model, site, said);
  }

  async stop(): Promise<void> {
    await this.magpie.stop();
    await Promise.all([this.site.close(), this.model.close()]);
  }

  async newKey(): Promise<string> {
    const body = { owner: `o${++this.#made}`, name: "n" };
    const reply = await this.magpie.request("POST", "/internal/keys", { admin: true, body });
    return reply.json<{ data: { key: string } }>().data.key;
  }

  /** A path that no other test has used. */
  newPage(name = "page"): string {
    return `/${++this.#made}/${name}`;
  }

  /** Changes what a page says from now on. */
  say(path: string, text: string): void {
    this.#said.set(path, text);
  }

  track(key: string, path: string, options: object, kind = "web"): Promise<Reply> {
    return this.magpie.request("POST", `/track/${kind}`, {
      key,
      body: { sid: this.site.url + path, options },
    });
  }

  /** The id of the source. */
  async tracked(key: string, path: string, options: object, kind = "web"): Promise<string> {
    const reply = await this.track(key, path, options, kind);
    expect([reply.status, reply.text]).toEqual([201, expect.stringContaining('"data"')]);
    return reply.json<{ data: { id: string } }>().data.id;
  }

  /** Remembers what is stored of a source. Returns what writes it again, as a process leaves it that ends within a poll. */
  async remember(id: string): Promise<() => Promise<void>> {
    const { sources, states } = this.#tracker.context;
    const before = { source: await sources.findById(id), state: await states.findById(id) };
    return async () => {
      if (!before.source || !before.state) throw new Error("nothing is stored");
      await sources.remove(id);
      await states.remove(id);
      await states.insert(before.state);
      await sources.insert(before.source);
    };
  }

  /** Makes these sources due, and waits until each was polled. */
  async poll(...ids: string[]): Promise<void> {
    const began = Date.now();
    const { context, pollScheduler } = this.#tracker;
    const { sources } = context;
    await sources.updateMany({ _id: { $in: ids } }, { $set: { dueAt: began - 1, polledAt: began - minute } });
    pollScheduler.wake();
    await until("all were polled", async () => {
      const found = await sources.find({ query: { _id: { $in: ids } } });
      return found.every(({ polledAt, lease }) => polledAt >= began && lease === undefined);
    });
  }

  /** Readers see an event once it is on disk, which may be a moment after its poll. */
  async events(key: string, count: number, query = ""): Promise<JudgedEvent[]> {
    const read = async () =>
      (await this.magpie.request("GET", `/events${query}`, { key })).json<{ data: JudgedEvent[] }>().data;
    await until(`${count} events are there`, async () => (await read()).length >= count);
    return await read();
  }

  /** The questions since the model was last told how to answer. */
  asked(): Asked[] {
    return this.model.requests.map(askedIn);
  }
}

const goalServices: Services = [
  keysService,
  trackerService,
  connectorsService,
  scraperService,
  webhookDispatcherService,
  historyService,
];

const inOneProcess: Place = async (config, services) => {
  const magpie = await startMagpie(config, settings => services.map(service => service(settings)));
  return { magpie, brokers: [magpie.broker] };
};

function bodyOf(path: string, text: string): string {
  if (!path.endsWith(".xml")) {
    const rest = "<p>Nest boxes are made of larch, and keep for twenty years in any weather.</p>";
    return `<!doctype html><title>Page ${path}</title><main><h1>Nest boxes</h1><p class="news">${text}</p>${rest}</main>`;
  }
  const items = text.split("|").map(each => `<item><guid>${each}</guid><title>${each}</title></item>`);
  return `<rss version="2.0"><channel><title>Feed</title><link>https://example.com/</link><description>d</description>${items.join("")}</channel></rss>`;
}

/** Reads a question as a model does: the goal, and the JSON between the marks. */
export function askedIn({ body }: ReceivedRequest): Asked {
  const whole = body.messages.at(-1)?.content ?? "";
  const goal = /^The goal, as a JSON string: (.*)$/m.exec(whole)?.[1] ?? '""';
  const [, , quoted = "{}"] = /^<<<(\w+)\n(.*)\n\1>>>$/m.exec(whole) ?? [];
  return { ...JSON.parse(quoted), goal: JSON.parse(goal), whole };
}
