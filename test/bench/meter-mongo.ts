import { once } from "node:events";
import { type AddressInfo, createServer, connect as dial, type Socket } from "node:net";
import { BSON } from "mongodb";
import { givenServer, type Server } from "../support/server.ts";

/** What went to a MongoDB, by collection. */
export interface MongoCount {
  /** Documents inserted, updated or removed, or tried to be. */
  writes: Record<string, number>;
  /** Queries. */
  reads: Record<string, number>;
}

/** A way to one server, with its own address, on which commands are counted. */
export interface MongoMeter {
  server: Server;
  /** Since the last time. */
  take(): MongoCount;
  close(): Promise<void>;
}

/** OP_MSG, of the wire protocol, which all commands have been since MongoDB 3.6. */
const opMsg = 2013;
const headBytes = 16;
/** The head and the flags. */
const sectionsAt = headBytes + 4;
const statements: Record<string, string> = { insert: "documents", update: "updates", delete: "deletes" };
const reading = new Set(["find", "aggregate", "count", "distinct", "getMore"]);

export async function meterMongo({ url }: Server): Promise<MongoMeter> {
  const { hostname, port } = new URL(url);
  let count: MongoCount = { writes: {}, reads: {} };
  const sockets = new Set<Socket>();
  const proxy = createServer(near => {
    const far = dial(Number(port), hostname);
    const note = framer(message => noteIn(count, message));
    near.on("data", note);
    near.pipe(far).pipe(near);
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy()).on("close", () => sockets.delete(one));
    }
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  return {
    server: givenServer(`mongodb://127.0.0.1:${(proxy.address() as AddressInfo).port}`),
    take: () => {
      const taken = count;
      count = { writes: {}, reads: {} };
      return taken;
    },
    close: async () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
      await once(proxy, "close");
    },
  };
}

/** Cuts a stream into its messages, each of which begins with its length. */
function framer(onMessage: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest = Buffer.alloc(0);
  return chunk => {
    rest = Buffer.concat([rest, chunk]);
    while (rest.length >= headBytes && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      onMessage(rest.subarray(0, length));
      rest = rest.subarray(length);
    }
  };
}

function noteIn({ writes, reads }: MongoCount, message: Buffer): void {
  if (message.readInt32LE(12) !== opMsg) return;
  const { body, sequences } = sectionsOf(message);
  const [command = "", collection] = Object.entries(body)[0] ?? [];
  const name = String(collection);
  const list = statements[command];
  const inBody = list ? body[list] : undefined;
  if (list) add(writes, name, Array.isArray(inBody) ? inBody.length : sequences);
  else if (command === "findAndModify") add(writes, name, 1);
  else if (reading.has(command)) add(reads, name, 1);
}

/** The command, and how many documents follow it in sequences. */
function sectionsOf(message: Buffer): { body: Record<string, unknown>; sequences: number } {
  let body: Record<string, unknown> = {};
  let sequences = 0;
  for (let at = sectionsAt; at < message.length; ) {
    const size = message.readInt32LE(at + 1);
    const section = message.subarray(at + 1, at + 1 + size);
    if (message[at] === 0) body = BSON.deserialize(section);
    else sequences += documentsIn(section);
    at += 1 + size;
  }
  return { body, sequences };
}

/** After its size and its name, which a zero ends, a sequence is one document after the other. */
function documentsIn(section: Buffer): number {
  let count = 0;
  for (let at = section.indexOf(0, 4) + 1; at < section.length; at += section.readInt32LE(at)) count += 1;
  return count;
}

function add(counts: Record<string, number>, name: string, count: number): void {
  counts[name] = (counts[name] ?? 0) + count;
}
