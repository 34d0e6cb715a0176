import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toConfig } from "../../mixins/config/config.ts";
import { openEmbeddedLog } from "../../mixins/event-log/embedded.log.ts";
import type { OpenLog } from "../../mixins/event-log/event-log.ts";
import { diskBlobs } from "../../mixins/store/blobs/disk.blobs.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { webhookDispatcherService } from "../../services/webhook-dispatcher/webhook-dispatcher.service.ts";
import { removeFolder } from "../support/folders.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { streamClient } from "../support/stream-client.ts";
import { until } from "../support/until.ts";

const hourMs = 3_600_000;
const began = Date.now() - 20 * 24 * hourMs;
const [old, fresh] = [33, 4];
const latest = old + fresh;

let dataDir: string;
let magpie: Magpie;
let receiver: Receiver;
let log: OpenLog;

/** A key whose first 33 events are sealed, 10 in a segment, and whose last four are of today. */
beforeAll(async () => {
  receiver = await startReceiver();
  dataDir = mkdtempSync(join(tmpdir(), "magpie-sealed-api-"));
  const { egressAllow, webhooks, eventRetentionMs } = toConfig({
    EGRESS_ALLOW: "127.0.0.1/32",
    WEBHOOK_ALLOW_HTTP: "true",
    EVENT_RETENTION: "90d",
  });
  magpie = await startMagpie({ dataDir, egressAllow, webhooks, eventRetentionMs }, config => [
    keysService(config),
    webhookDispatcherService(config),
  ]);
  const { data } = (await magpie.request("GET", "/internal/keys", { admin: true })).json<{
    data: { id: string }[];
  }>();
  let now = began;
  log = openEmbeddedLog({
    path: join(dataDir, "magpie.db"),
    notify: () => undefined,
    onEntries: () => undefined,
    keeping: {
      blobs: diskBlobs(join(dataDir, "blobs")),
      retentionMs: eventRetentionMs,
      limits: { events: 10, bytes: 1_000_000, spanMs: hourMs },
    },
    now: () => now,
  });
  const append = (n: number) =>
    log.append([
      {
        bodyId: `b${n}`,
        type: "rss.item.created",
        timestamp: new Date(now).toISOString(),
        data: { source: null, item: { id: String(n) } },
        keyIds: [data[0]?.id ?? ""],
      },
    ]);
  for (let n = 1; n <= old; n += 1) {
    now = began + n * hourMs;
    await append(n);
  }
  await log.prune(new Date());
  now = Date.now();
  for (let n = old + 1; n <= latest; n += 1) await append(n);
});
afterAll(async () => {
  await log.close();
  await magpie.stop();
  await receiver.close();
  await removeFolder(dataDir);
});

const seqs = (from: number, to = latest) => Array.from({ length: to - from + 1 }, (_, n) => from + n);
const apiKey = () => ({ "x-api-key": magpie.apiKey });

test("GET /events goes through segments and on into today, page by page, by position and by time", async () => {
  const page = async (query: string) => {
    const reply = await magpie.request("GET", `/events?${query}`);
    return reply.json<{ data: { seq: number }[] }>().data.map(({ seq }) => seq);
  };
  expect(await page("after=0&limit=100")).toEqual(seqs(1));
  expect(await page("after=8&limit=4")).toEqual(seqs(9, 12));
  expect(await page("after=31&limit=4")).toEqual(seqs(32, 35));
  expect(await page(`since=${new Date(began + 25 * hourMs).toISOString()}&limit=100`)).toEqual(seqs(25));
});

test("a WebSocket begins at a sealed position, and says where the log begins", async () => {
  const client = streamClient(magpie.url, "/stream?after=12", apiKey());
  expect(await client.hello()).toMatchObject({ oldest_seq: 1 });
  await until("all came", () => client.seqs().length === latest - 12);
  expect(client.seqs()).toEqual(seqs(13));
  client.socket.terminate();
});

test("server-sent events resume after a sealed Last-Event-ID", async () => {
  const ending = new AbortController();
  const answer = await fetch(`${magpie.url}/stream/sse`, {
    headers: { ...apiKey(), "last-event-id": "20" },
    signal: ending.signal,
  });
  let text = "";
  for await (const part of answer.body ?? []) {
    text += Buffer.from(part).toString();
    if (text.includes(`id: ${latest}\n`)) break;
  }
  ending.abort();
  expect(Array.from(text.matchAll(/^id: (\d+)$/gm), ([, id]) => Number(id))).toEqual(seqs(21));
});

test("a replay delivers sealed events and those of today", async () => {
  const url = `${receiver.url}/hook`;
  const made = await magpie.request("POST", "/webhooks", { body: { url } });
  const { id } = made.json<{ data: { id: string } }>().data;
  const since = new Date(began + 30 * hourMs).toISOString();
  const reply = await magpie.request("POST", `/webhooks/${id}/replay`, { body: { since } });
  expect(reply.json()).toMatchObject({ data: { events: latest - 29 } });
  await until("they arrive", () => receiver.taken().length >= latest - 29);
  expect(new Set(receiver.taken().map(({ event }) => event.seq))).toEqual(new Set(seqs(30)));
});
