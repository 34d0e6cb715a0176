import pg from "pg";
import { createEgress } from "../../../mixins/egress/egress.ts";
import type { DestinationOptionsOf } from "../../../services/contracts/destinations.ts";
import {
  listOf,
  openPostgresql,
} from "../../../services/webhook-dispatcher/destinations/postgresql/postgresql.ts";
import { type DestinationWorld, destinationSuite } from "../../suites/destination.suite.ts";
import { postgresqlUser, startPostgresql, withPostgresql } from "../../support/postgresql.ts";

const server = await startPostgresql();
const { port } = server;
const egress = createEgress({ allow: [`127.0.0.1:${port}`] });
const ways = { agent: egress.agent(), egress, folder: undefined };
const options: DestinationOptionsOf<"postgresql"> = {
  ...{ type: "postgresql", host: "127.0.0.1", port, tls: false, ...postgresqlUser },
  table: "Events",
};
let observer: pg.Client;
let world: DestinationWorld;

beforeAll(async () => {
  if (!server.isThere) return;
  observer = new pg.Client({ host: "127.0.0.1", port, ...postgresqlUser });
  await observer.connect();
  await observer.query("create schema narrow");
  await observer.query("create table narrow.events (id text primary key)");
  world = {
    ...{ ways, options, secrets: ["password"] },
    written: async () => (await observer.query(`select id, seq::int from "Events" order by ctid`)).rows,
    refused: { options: { ...options, schema: "narrow", table: "events" }, says: /column "seq" of relation/ },
    connections: async () => {
      const open = "select 1 from pg_stat_activity where application_name = 'magpie'";
      return (await observer.query(open)).rowCount ?? 0;
    },
  };
});
afterAll(async () => {
  await observer?.end();
  await egress.close();
  await server.stop();
});

const writer = { keyId: "key", webhookId: "w" };
const { signal } = new AbortController();
const open = (more: Partial<typeof options> = {}, way = ways) =>
  openPostgresql({ ...options, ...more }, writer, way, signal);
const event = (seq: number, data: object, conversation: string | null = null) => {
  const about = {
    id: `evt_${seq}`,
    type: "rss.item.created",
    timestamp: "2026-11-29T12:00:00.000Z",
  } as const;
  return { ...about, seq, conversation, body: JSON.stringify({ ...about, seq, data }) };
};

withPostgresql(server).describe("PostgreSQL", () => {
  destinationSuite(() => world, { isConnected: true });

  test("a row has what one asks for, and the event as it is", async () => {
    const destination = await open({ table: "one_row" });
    const data = { source: { id: "src_1" }, item: { title: "naïve" } };
    await destination.write({ events: [event(7, data)], path: "" }, signal);
    await destination.close();
    const { rows } = await observer.query("select * from one_row");
    expect(rows).toEqual([
      {
        ...{ id: "evt_7", seq: "7", type: "rss.item.created", source_id: "src_1" },
        created_at: new Date("2026-11-29T12:00:00.000Z"),
        event: JSON.parse(event(7, data).body),
      },
    ]);
  });

  test("characters that it has no place for do not hold up their event", async () => {
    const destination = await open({ table: "characters" });
    const text = "a\u0000b \ud800 c\\u0000 \\\\ud800 “😀”";
    await destination.write({ events: [event(8, { text })], path: "" }, signal);
    await destination.close();
    const { rows } = await observer.query("select event->'data'->>'text' as text from characters");
    expect(rows).toEqual([{ text: "a\uFFFDb \uFFFD c\\u0000 \\\\ud800 “😀”" }]);
  });

  test("a user who may only add rows writes to a table that is there", async () => {
    await (await open({ table: "given" })).close();
    await observer.query(
      `create role clerk login password 'clerk'; grant insert, select on given to clerk; revoke create on schema public from public`,
    );
    const destination = await open({ table: "given", user: "clerk", password: "clerk" });
    await destination.write({ events: [event(9, {})], path: "" }, signal);
    await destination.close();
    expect((await observer.query("select id from given")).rows).toEqual([{ id: "evt_9" }]);
  });

  test.each([
    [{ password: "wrong" }, 'password authentication failed for user "magpie" (28P01)'],
    [{ database: "none" }, 'database "none" does not exist (3D000)'],
    [{ schema: "none" }, 'schema "none" does not exist (3F000)'],
    [{ tls: true }, "The server has no TLS: switch it on there, or set `tls` to false."],
  ])("%j is refused in words", async (more, message) => {
    await expect(open(more)).rejects.toMatchObject({ code: "DESTINATION_REFUSED", message });
  });

  test("a row that a constraint refuses is the event's fault", async () => {
    const destination = await open({ table: "strict" });
    await observer.query("alter table strict add check (seq < 10)");
    const writing = destination.write({ events: [event(9, {}), event(10, {})], path: "" }, signal);
    await expect(writing).rejects.toMatchObject({ code: "DESTINATION_REFUSED", blame: "event" });
    expect((await observer.query("select id from strict")).rows).toEqual([]);
    await destination.close();
  });

  test("an address that is not allowed is not connected to, in digits or by name", async () => {
    const lookup = async () => [{ address: "127.0.0.1", family: 4 }];
    const guarded = createEgress({ allow: [], lookup });
    const way = { ...ways, egress: guarded };
    for (const host of ["127.0.0.1", "database.example.com"])
      await expect(open({ host }, way)).rejects.toMatchObject({ code: "EGRESS_REFUSED" });
    await guarded.close();
  });

  test("a name leads to the address that was vetted", async () => {
    const name = "database.example.com";
    const named = createEgress({
      allow: [`${name}:${port}`],
      lookup: async () => [{ address: "127.0.0.1", family: 4 }],
    });
    const destination = await open({ host: name, table: "by_name" }, { ...ways, egress: named });
    await destination.close();
    await named.close();
  });

  test("a write that waits for a lock ends with its signal", async () => {
    const destination = await open({ table: "locked" });
    await observer.query("begin; lock table locked in exclusive mode");
    const stop = new AbortController();
    const writing = destination.write({ events: [event(1, {})], path: "" }, stop.signal);
    stop.abort();
    await expect(writing).rejects.toThrow("Connection terminated");
    await observer.query("rollback");
    await destination.close();
  });
});

test("a list of events keeps all that PostgreSQL takes", () => {
  const body = String.raw`{"a":"\"\\u0000\\\n\u001f"}`;
  expect(listOf([{ body }, { body: "{}" }])).toBe(`[${body},{}]`);
});
