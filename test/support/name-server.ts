import { createSocket, type Socket } from "node:dgram";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";

/** What the server says to a question. Records of the other family are none: the name exists without them. */
export type Reply =
  | "silent"
  | "nxdomain"
  | "servfail"
  | "refused"
  | {
      /** IPv4 and IPv6 addresses. */
      addresses: string[];
      /** Seconds; 0 unless told. */
      ttl?: number;
      /** The name is an alias of this one, which has the addresses. */
      alias?: string;
      /** Over UDP only that it is too long. */
      truncated?: boolean;
    };

export interface Question {
  name: string;
  type: "A" | "AAAA";
  transport: "udp" | "tcp";
}

export type Zone = Record<string, Reply | ((question: Question, turn: number) => Reply | Promise<Reply>)>;

/** A name server on a loopback port. Names that the zone lacks do not exist. */
export interface NameServer {
  /** `127.0.0.1:<port>` */
  readonly address: string;
  /** Questions in the order of their arrival, those that were dropped too. */
  readonly questions: Question[];
  /** How often a name was asked for; of one type. */
  asked(name: string, type?: Question["type"]): number;
  /** Drops this many of the next packets. */
  drop(packets: number): void;
  /** Drops what comes above this many packets within ten milliseconds, as busy resolvers do. */
  dropAbove(packets: number): void;
  close(): Promise<void>;
}

export async function startNameServer(zone: Zone): Promise<NameServer> {
  const { udp, tcp } = await open();
  const { port } = udp.address();
  const questions: Question[] = [];
  let toDrop = 0;
  let burst = { limit: Number.POSITIVE_INFINITY, since: 0, packets: 0 };
  const asked = (name: string, type: Question["type"] = "A") =>
    questions.filter(each => each.name === name && each.type === type).length;
  const answer = async (message: Buffer, transport: Question["transport"]) => {
    const question = questionOf(message, transport);
    questions.push(question);
    if (transport === "udp" && isDropped()) return undefined;
    const entry = Object.hasOwn(zone, question.name) ? zone[question.name] : "nxdomain";
    const reply = typeof entry === "function" ? entry(question, asked(question.name, question.type)) : entry;
    return packet(message, question, (await reply) ?? "nxdomain");
  };
  const isDropped = () => {
    const now = performance.now();
    if (now - burst.since > 10) burst = { ...burst, since: now, packets: 0 };
    burst.packets += 1;
    if (burst.packets > burst.limit) return true;
    toDrop -= 1;
    return toDrop >= 0;
  };
  udp.on("message", async (message, from) => {
    const bytes = await answer(message, "udp");
    if (bytes && isOpen) udp.send(bytes, from.port, from.address);
  });
  tcp.on("connection", socket => {
    socket.on("error", () => socket.destroy());
    socket.once("data", async (framed: Buffer) => {
      const bytes = await answer(framed.subarray(2), "tcp");
      if (bytes) socket.end(Buffer.concat([uint16(bytes.length), bytes]));
    });
  });
  let isOpen = true;
  return {
    address: `127.0.0.1:${port}`,
    questions,
    asked,
    drop: packets => {
      toDrop = packets;
    },
    dropAbove: packets => {
      burst = { limit: packets, since: 0, packets: 0 };
    },
    close: async () => {
      isOpen = false;
      udp.close();
      tcp.close();
      await once(tcp, "close");
    },
  };
}

/** Both transports on one port; another one where TCP's is taken. */
async function open(): Promise<{ udp: Socket; tcp: ReturnType<typeof createServer> }> {
  const udp = createSocket("udp4");
  udp.bind(0, "127.0.0.1");
  await once(udp, "listening");
  const tcp = createServer();
  try {
    tcp.listen((udp.address() as AddressInfo).port, "127.0.0.1");
    await once(tcp, "listening");
    return { udp, tcp };
  } catch {
    udp.close();
    return await open();
  }
}

const headerBytes = 12;

function questionOf(message: Buffer, transport: Question["transport"]): Question {
  const labels: string[] = [];
  let at = headerBytes;
  for (let length = message.readUInt8(at); length > 0; length = message.readUInt8(at)) {
    labels.push(message.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  const type = message.readUInt16BE(at + 1) === 28 ? "AAAA" : "A";
  return { name: labels.join(".").toLowerCase(), type, transport };
}

const codes = { nxdomain: 3, servfail: 2, refused: 5 };

/** RFC 1035, 4.1; undefined for silence. */
function packet(message: Buffer, { name, type, transport }: Question, reply: Reply): Buffer | undefined {
  if (reply === "silent") return undefined;
  const question = message.subarray(headerBytes, headerBytes + name.length + 6);
  if (typeof reply === "string") return Buffer.concat([header(message, codes[reply], 0), question]);
  const { addresses, ttl = 0, alias, truncated = false } = reply;
  if (truncated && transport === "udp") return Buffer.concat([header(message, 0, 0, true), question]);
  const own = alias ? [record(name, 5, ttl, encoded(alias))] : [];
  const records = addresses
    .filter(address => address.includes(":") === (type === "AAAA"))
    .map(address => record(alias ?? name, type === "A" ? 1 : 28, ttl, bytesOf(address)));
  const all = [...own, ...records];
  return Buffer.concat([header(message, 0, all.length), question, ...all]);
}

/** Answer, recursion desired and available. */
function header(message: Buffer, code: number, answers: number, truncated = false): Buffer {
  const flags = 0x8180 | code | (truncated ? 0x0200 : 0);
  return Buffer.concat([message.subarray(0, 2), ...[flags, 1, answers, 0, 0].map(uint16)]);
}

function record(name: string, type: number, ttl: number, data: Buffer): Buffer {
  const seconds = Buffer.alloc(4);
  seconds.writeUInt32BE(ttl);
  return Buffer.concat([encoded(name), uint16(type), uint16(1), seconds, uint16(data.length), data]);
}

function encoded(name: string): Buffer {
  const labels = name.split(".").map(label => Buffer.from([label.length, ...Buffer.from(label)]));
  return Buffer.concat([...labels, Buffer.alloc(1)]);
}

function bytesOf(address: string): Buffer {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number));
  const [before = "", after = ""] = address.split("::");
  const groups = (text: string) =>
    text === "" ? [] : text.split(":").map(group => Number.parseInt(group, 16));
  const [head, tail] = [groups(before), groups(after)];
  const zeros = Array<number>(8 - head.length - tail.length).fill(0);
  return Buffer.concat([...head, ...zeros, ...tail].map(uint16));
}

function uint16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16BE(value);
  return bytes;
}
