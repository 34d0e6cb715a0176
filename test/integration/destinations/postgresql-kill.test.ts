import type { ChildProcess } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import pg from "pg";
import { killed, order, startChild } from "../../support/child-process.ts";
import { removeFolder } from "../../support/folders.ts";
import { postgresqlUser, startPostgresql, withPostgresql } from "../../support/postgresql.ts";
import { until } from "../../support/until.ts";
import type { Order } from "../webhook.process.ts";

const kills = 5;
const events = 100;
const server = await startPostgresql();
afterAll(() => server.stop());

withPostgresql(server).test(
  "kill -9 at rows that were just written leaves one row for each event",
  async () => {
    const dataDir = mkdtempSync(join(tmpdir(), "magpie-postgresql-kill-"));
    const place = { host: "127.0.0.1", port: server.port, ...postgresqlUser };
    const observer = new pg.Client(place);
    await observer.connect();
    let child = await start(dataDir);
    const count = async () => {
      const { rows } = await observer.query("select count(*)::int as rows from magpie_events");
      return rows[0].rows as number;
    };
    try {
      const destination = { type: "postgresql", ...place, tls: false, table: "magpie_events" } as const;
      const batch = { max_events: 20, max_wait_ms: 10 };
      await observer.query(
        "create table magpie_events (id text primary key, seq bigint, type text, source_id text, created_at timestamptz, event jsonb)",
      );
      await order(child, { create: { destination, batch } } satisfies Order);
      for (let kill = 0; kill < kills; kill += 1) {
        const before = await count();
        await order(child, { append: eventsOf(kill) } satisfies Order);
        while ((await count()) === before) await nextTurn();
        await killed(child);
        child = await start(dataDir);
      }
      await until("all are there", async () => (await count()) >= kills * events);
      const { rows } = await observer.query("select seq::int from magpie_events order by seq");
      expect(rows.map(({ seq }) => seq)).toEqual(Array.from({ length: kills * events }, (_, n) => n + 1));
    } finally {
      await killed(child);
      await observer.end();
      await removeFolder(dataDir);
    }
  },
);

function eventsOf(kill: number) {
  return Array.from({ length: events }, (_, n) => {
    const id = `s${n % 40}`;
    const source = { id, source: "RSS", externalId: `https://${id}.test/feed`, username: id, name: id };
    const bodyId = `${kill}-${n}`;
    const timestamp = new Date().toISOString();
    return { bodyId, type: "rss.item.created" as const, timestamp, data: { source, item: { id: bodyId } } };
  });
}

function start(dataDir: string): Promise<ChildProcess> {
  return startChild(join(import.meta.dirname, "../webhook.process.ts"), [dataDir]);
}
