import { lookup } from "node:dns/promises";
import { mkdtemp, writeFile } from "node:fs/promises";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { createResolver, type Resolve } from "../../../mixins/egress/dns-resolver.ts";
import { removeFolder } from "../../support/folders.ts";
import { type NameServer, type Question, startNameServer } from "../../support/name-server.ts";

const forever = new AbortController().signal;
const local = (name: string) => ({ addresses: [`127.0.0.${name.length}`] });

let folder: string;
let server: NameServer;
let other: NameServer;
let resolve: Resolve;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "names-"));
  await writeFile(join(folder, "hosts"), "127.0.0.9\tname.example alias.example # comment\n10.9.9.9 redis\n");
  server = await startNameServer({
    "a.example": { addresses: ["192.0.2.1", "192.0.2.2"], ttl: 30 },
    "six.example": { addresses: ["2001:db8::1"], ttl: 30 },
    "both.example": { addresses: ["2001:db8::1", "192.0.2.1"] },
    "alias-of-a.example": { addresses: ["192.0.2.1"], alias: "a.example", ttl: 20 },
    "long.example": { addresses: Array.from({ length: 60 }, (_, i) => `192.0.2.${i}`), truncated: true },
    "empty.example": { addresses: [] },
    "broken.example": "servfail",
    "here.example": "refused",
    "half.example": ({ type }: Question) => (type === "A" ? { addresses: ["192.0.2.1"] } : "silent"),
    "lame.example": ({ type }: Question) => (type === "A" ? { addresses: ["192.0.2.1"] } : "servfail"),
    "name.example": { addresses: ["192.0.2.66"] },
    localhost: { addresses: ["192.0.2.66"] },
    "www.corp.example": local("www"),
    "redis.corp.example": { addresses: ["192.0.2.66"] },
    "a.example.corp.example": { addresses: ["192.0.2.66"] },
  });
  other = await startNameServer({
    "here.example": { addresses: ["192.0.2.5"] },
    "late.example": { addresses: ["192.0.2.6"] },
  });
  resolve = createResolver({ servers: [server.address], hostsFile: join(folder, "hosts") });
});
afterAll(async () => {
  await Promise.all([server.close(), other.close()]);
  await removeFolder(folder);
});
beforeEach(() => {
  server.questions.splice(0);
  other.questions.splice(0);
});

async function addresses(name: string, by = resolve): Promise<string[]> {
  return (await by(name, forever)).addresses.map(({ address }) => address);
}

test.each([
  ["a.example", ["192.0.2.1", "192.0.2.2"], 30_000],
  ["six.example", ["2001:db8::1"], 30_000],
  ["alias-of-a.example", ["192.0.2.1"], 20_000],
  ["a.example.", ["192.0.2.1", "192.0.2.2"], 30_000],
])("%s", async (name, expected, ttlMs) => {
  const answer = await resolve(name, forever);
  expect(answer.addresses.map(({ address }) => address)).toEqual(expected);
  expect(answer.ttlMs).toBe(ttlMs);
});

test("both families, each with its number", async () => {
  const answer = await resolve("both.example", forever);
  expect(answer.addresses.toSorted((one, two) => one.family - two.family)).toEqual([
    { address: "192.0.2.1", family: 4 },
    { address: "2001:db8::1", family: 6 },
  ]);
});

test("an answer that is too long for a packet comes over TCP", async () => {
  expect(await addresses("long.example")).toHaveLength(60);
  expect(server.questions.map(({ transport }) => transport)).toContain("tcp");
});

test.each(["none.example", "empty.example", `${"x".repeat(64)}.example`])(
  "%s has no addresses, and that is an answer",
  async name => expect(await addresses(name)).toEqual([]),
);

test("servers that fail leave it open whether the name exists", async () => {
  await expect(resolve("broken.example", forever)).rejects.toMatchObject({ code: "EAI_AGAIN" });
});

test("a lost packet is sent again", async () => {
  server.drop(2);
  expect(await addresses("a.example")).toEqual(["192.0.2.1", "192.0.2.2"]);
  expect(server.asked("a.example")).toBe(2);
});

test("a late answer to the first question counts", async () => {
  const first = Promise.withResolvers<void>();
  const slow = await startNameServer({
    "slow.example": async (_, turn) => {
      if (turn > 1) first.resolve();
      else await first.promise;
      return turn > 1 ? "silent" : { addresses: ["192.0.2.8"] };
    },
  });
  expect(await addresses("slow.example", createResolver({ servers: [slow.address] }))).toEqual(["192.0.2.8"]);
  await slow.close();
});

test("one family is enough when the other never comes, or fails", async () => {
  expect(await addresses("half.example")).toEqual(["192.0.2.1"]);
  expect(await addresses("lame.example")).toEqual(["192.0.2.1"]);
});

test("a server that refuses, fails or is away is followed by the next", async () => {
  const gone = await startNameServer({});
  await gone.close();
  for (const first of [server.address, gone.address])
    expect(await addresses("here.example", createResolver({ servers: [first, other.address] }))).toEqual([
      "192.0.2.5",
    ]);
});

test("the server that answered last is asked first", async () => {
  const dead = await startNameServer({ "late.example": "silent", "here.example": "silent" });
  const both = createResolver({ servers: [dead.address, other.address] });
  expect(await addresses("late.example", both)).toEqual(["192.0.2.6"]);
  expect(dead.asked("late.example")).toBe(1);
  expect(await addresses("here.example", both)).toEqual(["192.0.2.5"]);
  expect(dead.asked("here.example")).toBe(0);
  await dead.close();
});

test("a lookup ends with its signal, and asks no more", async () => {
  const silent = await startNameServer({ "silent.example": "silent" });
  const ended = new AbortController();
  const answer = createResolver({ servers: [silent.address] })("silent.example", ended.signal);
  ended.abort(new Error("enough"));
  await expect(answer).rejects.toThrow("enough");
  await silent.close();
});

test("the hosts file and localhost come before the name servers", async () => {
  expect(await addresses("name.example")).toEqual(["127.0.0.9"]);
  expect(await addresses("alias.example.")).toEqual(["127.0.0.9"]);
  expect((await addresses("localhost")).toSorted()).toEqual(["127.0.0.1", "::1"]);
  expect(server.questions).toEqual([]);
});

describe("by a resolv.conf", () => {
  const systemOf = async (conf: string, hosts = "") => {
    const files = { resolvConfFile: join(folder, "resolv.conf"), hostsFile: join(folder, "own-hosts") };
    await writeFile(files.resolvConfFile, conf);
    await writeFile(files.hostsFile, hosts);
    return { files, resolve: createResolver({ ...files, checkEveryMs: 0, port: portOf(server) }) };
  };

  /** As Kubernetes writes it into every pod. */
  const pod = `nameserver 127.0.0.1
search magpie.svc.cluster.local svc.cluster.local cluster.local corp.example
options ndots:5 rotate
`;

  test.each([
    ["a.example", ["192.0.2.1", "192.0.2.2"]],
    ["none.example", []],
    ["www", []],
  ])("of a pod, %s makes one pair of questions, and no search domain hears of it", async (name, expected) => {
    const { resolve: by } = await systemOf(pod);
    expect(await addresses(name, by)).toEqual(expected);
    expect(server.questions.map(question => `${question.type} ${question.name}`).toSorted()).toEqual([
      `A ${name}`,
      `AAAA ${name}`,
    ]);
  });

  test("names of the operator whose servers are silent hold two threads, each one once", async () => {
    const asked: string[] = [];
    const by = createResolver({ system: ["a.local", "b.local", "c.local"] }, name => {
      asked.push(name);
      return new Promise(() => undefined);
    });
    for (const name of ["a.local", "a.local", "b.local", "c.local", "a.local"])
      void by(name, forever).catch(() => undefined);
    await new Promise(setImmediate);
    expect(asked).toEqual(["a.local", "b.local"]);
  });

  test("a name that the operator gives is the system's, which knows the search domains", async () => {
    const { files } = await systemOf(pod);
    const name = hostname();
    const known = await lookup(name, { all: true });
    const by = createResolver({ ...files, port: portOf(server), system: [name] });
    expect(await addresses(name, by)).toEqual(known.map(({ address }) => address));
    expect(server.questions).toEqual([]);
  });

  test("changes of the files are seen", async () => {
    const { files, resolve: by } = await systemOf("nameserver 127.0.0.1\n", "127.0.0.8 own.example\n");
    expect(await addresses("own.example", by)).toEqual(["127.0.0.8"]);
    await writeFile(files.hostsFile, "127.0.0.77 own.example\n");
    expect(await addresses("own.example", by)).toEqual(["127.0.0.77"]);
    await writeFile(files.resolvConfFile, "nameserver 127.0.0.2\nnameserver 127.0.0.1\n");
    expect(await addresses("a.example", by)).toContain("192.0.2.1");
  });
});

function portOf({ address }: NameServer): number {
  return Number(address.split(":").at(-1));
}
