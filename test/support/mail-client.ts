import type { ServiceBroker } from "moleculer";
import type { EventLog, NewEvent } from "../../mixins/event-log/event-log.ts";
import type { WebhookContext } from "../../services/webhook-dispatcher/context.ts";
import { makeDigestDue, storedLane } from "./digest-due.ts";
import type { Magpie, Reply } from "./magpie.ts";
import { linkIn, type MailServer, type ReceivedMail } from "./mail-server.ts";
import { until } from "./until.ts";

/** An installation that sends mails, embedded or a cluster. */
export interface MailWorld {
  magpie: Pick<Magpie, "request">;
  log: EventLog;
  server: MailServer;
  /** The nodes that deliver. */
  nodes: ServiceBroker[];
}

export interface MailEndpoint {
  id: string;
  url: string;
  status: string;
  digest: string | null;
  waiting: number;
}

let count = 0;

/** An address that no other test has. */
export function newAddress(): string {
  count += 1;
  return `reader-${count}@example.org`;
}

/** A key with endpoints of mail, and the owner of an address. */
export class MailClient {
  readonly #world: MailWorld;
  readonly id: string;
  readonly #key: string;

  private constructor(world: MailWorld, { id, key }: { id: string; key: string }) {
    this.#world = world;
    this.id = id;
    this.#key = key;
  }

  static async open(world: MailWorld): Promise<MailClient> {
    const body = { owner: "ann", name: "n" };
    const reply = await world.magpie.request("POST", "/internal/keys", { admin: true, body });
    return new MailClient(world, reply.json<{ data: { id: string; key: string } }>().data);
  }

  ask(method: string, path: string, body?: object): Promise<Reply> {
    return this.#world.magpie.request(method, path, { key: this.#key, ...(body && { body }) });
  }

  /** As somebody without a key. */
  visit(method: string, path: string): Promise<Reply> {
    return this.#world.magpie.request(method, path, { key: null });
  }

  async add(address: string, options: object = {}): Promise<MailEndpoint> {
    const reply = await this.ask("POST", "/webhooks", { url: `mailto:${address}`, ...options });
    expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
    return reply.json<{ data: MailEndpoint }>().data;
  }

  async change(id: string, body: object): Promise<MailEndpoint> {
    const reply = await this.ask("PATCH", `/webhooks/${id}`, body);
    expect([reply.status, reply.text]).toEqual([200, expect.any(String)]);
    return reply.json<{ data: MailEndpoint }>().data;
  }

  async show(id: string): Promise<MailEndpoint> {
    return (await this.ask("GET", `/webhooks/${id}`)).json<{ data: MailEndpoint }>().data;
  }

  /** Adds an address whose owner agrees. */
  async addConfirmed(address: string, options: object = {}): Promise<MailEndpoint> {
    const endpoint = await this.add(address, options);
    const link = linkIn(await this.question(address), "confirm");
    expect((await this.visit("POST", link)).status).toBe(200);
    return endpoint;
  }

  /** The mail that asks the owner of an address, or a later one. */
  async question(address: string, number = 0): Promise<ReceivedMail | undefined> {
    const questions = () => this.#mailsTo(address).filter(mail => linkIn(mail, "confirm") !== "");
    await until("the owner is asked", () => questions().length > number);
    return questions()[number];
  }

  /** The mails with events. */
  newsTo(address: string): ReceivedMail[] {
    return this.#mailsTo(address).filter(({ headers }) => headers.has("list-unsubscribe"));
  }

  #mailsTo(address: string): ReceivedMail[] {
    return this.#world.server.mails.filter(({ to }) => to === address);
  }

  async append(...titles: string[]): Promise<void> {
    const events = titles.map((title): NewEvent => {
      count += 1;
      return {
        bodyId: `mailed-${count}`,
        type: "rss.item.created",
        timestamp: new Date().toISOString(),
        data: {
          source: { id: "a", source: "RSS", externalId: "https://a.test/", username: "a", name: "Corvids" },
          item: { id: title, title },
        },
        keyIds: [this.id],
      };
    });
    await this.#world.log.append(events);
  }

  lane(laneId = this.id): ReturnType<typeof storedLane> {
    return storedLane(this.#world.nodes[0] as ServiceBroker, laneId);
  }

  /** Waits until a digest has its time, and sets that to now. */
  async digestDue(laneId = this.id): Promise<void> {
    await until("a digest has its time", async () => Boolean((await this.lane(laneId))?.digest));
    const works = (broker: ServiceBroker) => contextOf(broker).dispatcher.works(this.id);
    await until("a node works the lane", () => this.#world.nodes.some(works));
    await makeDigestDue(this.#world.nodes.find(works) as ServiceBroker, laneId);
  }
}

function contextOf(broker: ServiceBroker): WebhookContext {
  const service = broker.getLocalService("webhook-dispatcher") as unknown as { context: WebhookContext };
  return service.context;
}
