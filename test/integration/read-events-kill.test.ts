import type { ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { readGatewayAddress } from "../../mixins/config/gateway-address.ts";
import type { Source } from "../../services/contracts/source.ts";
import { killed, order, startChild } from "../support/child-process.ts";
import { removeFolder } from "../support/folders.ts";
import { askWithoutEnd, request } from "../support/magpie.ts";
import { until } from "../support/until.ts";
import type { Order } from "./read-events.process.ts";

const kills = 3;
const eventsPerLife = 60;
const sourceCount = 4;

let dataDir: string;
let child: ChildProcess;
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "magpie-events-kill-"));
});
afterEach(async () => {
  await killed(child);
  await removeFolder(dataDir);
});

async function start(): Promise<void> {
  child = await startChild(join(import.meta.dirname, "read-events.process.ts"), [dataDir]);
}

const address = () => readGatewayAddress({ dataDir }) ?? "";

interface Page {
  data: { seq: number; data: { item: { n: number } } }[];
  next_after: number;
}

/** A client that asks again and again from its own position, whatever becomes of the answers. */
class Client {
  readonly taken: number[] = [];
  readonly #query: string;
  #after = 0;
  #isOver = false;
  readonly #running: Promise<void>;

  constructor(query: string) {
    this.#query = query;
    this.#running = this.#run();
  }

  async stop(): Promise<void> {
    this.#isOver = true;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#isOver) await this.#ask().catch(() => undefined);
  }

  async #ask(): Promise<void> {
    const reply = await request(
      address(),
      "GET",
      `/events?${this.#query}&limit=7&wait=1&after=${this.#after}`,
    );
    if (reply.status !== 200) return;
    const { data, next_after } = reply.json<Page>();
    this.#after = next_after;
    this.taken.push(...data.map(each => each.data.item.n));
  }
}

test("clients with other filters get each event that they want once and in order, across kill -9", async () => {
  await start();
  await askWithoutEnd(address());
  const sources = await Promise.all(Array.from({ length: sourceCount }, (_, n) => track(n)));
  const sourceOf = (n: number) => n % sourceCount;
  const clients = {
    all: new Client("type=rss.item.created"),
    tag: new Client("tag=even"),
    source: new Client(`source=${sources[1]?.id}`),
    kind: new Client("source=web"),
  };
  let n = 0;
  for (let life = 0; life <= kills; life += 1) {
    const events = Array.from({ length: eventsPerLife }, () => {
      n += 1;
      return { n, source: sources[sourceOf(n)] as Source };
    });
    const wanted = clients.tag.taken.length;
    const appended = order(child, { events } satisfies Order).catch(error => error);
    await until("some have come", () => clients.tag.taken.length > wanted + 3);
    // The first lives end while the last events are written; these are written again.
    if (life < kills) {
      await killed(child);
      expect(await appended).toBeInstanceOf(Error);
      await start();
      await order(child, { events } satisfies Order);
    } else expect(await appended).toBeUndefined();
  }
  const all = Array.from({ length: n }, (_, at) => at + 1);
  const even = all.filter(each => sourceOf(each) % 2 === 0);
  await until("all have come", () => clients.all.taken.length >= n && clients.tag.taken.length >= n / 2);
  await until("of the one source, too", () => clients.source.taken.length >= n / sourceCount);
  await Promise.all(Object.values(clients).map(client => client.stop()));
  expect(clients.all.taken).toEqual(all);
  expect(clients.tag.taken).toEqual(even);
  expect(clients.source.taken).toEqual(all.filter(each => sourceOf(each) === 1));
  expect(clients.kind.taken).toEqual([]);
});

async function track(n: number): Promise<Source> {
  const body = { sid: `https://feed-${n}.example/feed`, options: { tags: n % 2 === 0 ? ["even"] : ["odd"] } };
  return (await request(address(), "POST", "/track/rss", { body })).json<{ data: Source }>().data;
}
