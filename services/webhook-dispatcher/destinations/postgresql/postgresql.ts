import { type LookupFunction, Socket } from "node:net";
import pg from "pg";
import { within } from "../../../../mixins/async/timeout.ts";
import type { DestinationOptionsOf } from "../../../contracts/destinations.ts";
import { type OpenDestination, type Refusal, refusal, type WrittenBatch } from "../destination.ts";
import { lookupOf, tlsOf } from "../server.ts";

type Options = DestinationOptionsOf<"postgresql">;

/** The longest time of a write: the server ends by itself what nobody waits for any more. */
const statementMs = 30_000;
const closeMs = 2_000;

/** Opens a table, and makes it unless it is there. */
export const openPostgresql: OpenDestination<"postgresql"> = async (options, _writer, ways, signal) => {
  const socket = pinnedSocket(await lookupOf(options, ways));
  const client = clientFor(options, socket);
  const table = tableOf(options);
  const end = () => void socket.destroy();
  try {
    await endedBy(signal, end, async () => {
      await client.connect();
      await makeTable(client, table);
    });
  } catch (error) {
    end();
    throw inWords(error);
  }
  return {
    write: async ({ events }, aborted) => {
      const text = `insert into ${table} ${columns} on conflict (id) do nothing`;
      // A single statement, so all of them are there or none.
      await endedBy(aborted, end, () => client.query(text, [listOf(events)])).catch(error => {
        throw inWords(error);
      });
    },
    close: async () => {
      await within(closeMs, client.end(), end);
    },
  };
};

function clientFor({ host, port, database, user, password, ...more }: Options, socket: Socket): pg.Client {
  const client = new pg.Client({
    ...{ host, port, database, user, password, ssl: tlsOf(more) },
    ...{ stream: () => socket, statement_timeout: statementMs, application_name: "magpie", keepAlive: true },
  });
  // The write under way, or the next one, rejects with it.
  client.on("error", () => undefined);
  return client;
}

/** A socket that connects to what the guard has vetted, and to nothing else. */
function pinnedSocket(lookup: LookupFunction): Socket {
  const socket = new Socket();
  const connect = socket.connect.bind(socket);
  const connectPinned = (port: number, host: string) => connect({ port, host, lookup });
  return Object.assign(socket, { connect: connectPinned });
}

/** Ends the connection when the signal fires before the work has settled; the work then rejects. */
async function endedBy(signal: AbortSignal, end: () => void, work: () => Promise<unknown>): Promise<void> {
  signal.throwIfAborted();
  signal.addEventListener("abort", end, { once: true });
  try {
    await work();
  } finally {
    signal.removeEventListener("abort", end);
  }
}

function tableOf({ schema, table }: Options): string {
  return [schema, table]
    .flatMap(name => name ?? [])
    .map(pg.escapeIdentifier)
    .join(".");
}

/** A user who may only write rows needs a table that is there. */
async function makeTable(client: pg.Client, table: string): Promise<void> {
  const found = await client.query("select to_regclass($1) is not null as there", [table]);
  if (found.rows[0]?.there === true) return;
  const definition =
    "id text primary key, seq bigint not null, type text not null, source_id text, created_at timestamptz not null, event jsonb not null";
  await client.query(`create table if not exists ${table} (${definition})`).catch(error => {
    // Another connection has made it at this moment.
    if (!["23505", "42P07"].includes(error.code)) throw error;
  });
}

const columns = `(id, seq, type, source_id, created_at, event)
  select event->>'id', (event->>'seq')::bigint, event->>'type', event#>>'{data,source,id}', (event->>'timestamp')::timestamptz, event
  from jsonb_array_elements($1::jsonb) as event`;

/**
 * The events as a list in JSON, without what `jsonb` refuses: the character U+0000, and halves of surrogate pairs, which are
 * the only ones of them that JSON has as escapes.
 */
export function listOf(events: readonly Pick<WrittenBatch["events"][number], "body">[]): string {
  const list = events.map(({ body }) => body).join();
  return `[${list.replace(/\\(u0000|ud[89a-f][0-9a-f]{2}|.)/g, found => (found.length > 2 ? "\uFFFD" : found))}]`;
}

/** Codes of what concerns the rows, not the table: data, constraints, and what triggers raise. */
const ofTheEvent = /^(22|23|P0)/;

/** What the server says; other errors are those of the connection. */
function inWords(error: unknown): unknown {
  const { message, code } = error as { message: string; code?: string };
  if (error instanceof pg.DatabaseError) return said(error, `${message} (${code})`, code);
  if (message === "The server does not support SSL connections")
    return said(error, "The server has no TLS: switch it on there, or set `tls` to false.");
  return error;
}

function said(cause: unknown, message: string, code = ""): Error & Refusal {
  const words = refusal(message, ofTheEvent.test(code) ? { blame: "event" } : {});
  return Object.assign(words, { cause });
}
