import { once } from "node:events";
import { type AddressInfo, createServer, type Server } from "node:net";
import { createServer as createTlsServer } from "node:tls";
import { Redis } from "ioredis";
import { checkRedis } from "../../mixins/cluster/check-redis.ts";
import { startRedis, type TestRedis } from "../support/redis.ts";
import { selfSigned } from "../support/self-signed.ts";

let server: TestRedis;
let admin: Redis;
beforeAll(async () => {
  server = await startRedis();
  admin = new Redis(server.url);
});
afterAll(async () => {
  admin.disconnect();
  await server.stop();
});

const withPassword = (password: string) => `redis://magpie:${password}@127.0.0.1:${server.port}/0`;
const messageFor = (url: string) =>
  checkRedis({ redisUrl: url }).then(
    () => "fine",
    error => error.message,
  );

test("a Redis as it should be is taken without a word", async () => {
  await admin.acl("SETUSER", "magpie", "on", ">right", "~*", "+@all");
  expect(await checkRedis({ redisUrl: server.url })).toEqual([]);
  expect(await checkRedis({ redisUrl: withPassword("right") })).toEqual([]);
});

test("a wrong password is reported without it", async () => {
  expect(await messageFor(withPassword("secret"))).toBe(
    `REDIS_URL: redis://127.0.0.1:${server.port}/0 rejects the user and password of the URL`,
  );
});

test("a server that asks for a password which the URL has not", async () => {
  await admin.config("SET", "requirepass", "x");
  expect(await messageFor(server.url)).toMatch(/rejects the user and password/);
  await admin.config("SET", "requirepass", "");
});

test("where nothing answers, the message says where", async () => {
  const redisUrl = "redis://magpie:secret@127.0.0.1:1/0";
  const message = await messageFor(redisUrl);
  expect(message).toMatch(/^REDIS_URL: redis:\/\/127\.0\.0\.1:1\/0 does not answer \(.*ECONNREFUSED/);
  expect(message).toMatch(/Check that it runs, that host and port of the URL are right/);
  expect(message).not.toContain("secret");
});

test("a server without TLS, or with nothing but TLS, is reported", async () => {
  const plain = await messageFor(server.url.replace("redis:", "rediss:"));
  expect(plain).toMatch(/^REDIS_URL: rediss:.* does not answer \(.* TLS if the URL begins with rediss:/);
  const encrypted = createTlsServer(selfSigned(), socket => socket.destroy()).listen(0, "127.0.0.1");
  await once(encrypted, "listening");
  const { port } = encrypted.address() as AddressInfo;
  expect(await messageFor(`redis://127.0.0.1:${port}`)).toMatch(/ TLS if the URL begins with rediss:/);
  expect(await messageFor(`rediss://127.0.0.1:${port}`)).toMatch(/does not answer \(.*self-signed/);
  encrypted.close();
});

test("a database that is not there is refused", async () => {
  expect(await messageFor(`${server.url}/15`)).toBe("fine");
  expect(await messageFor(`${server.url}/99`)).toMatch(
    /^REDIS_URL: redis:\/\/127\.0\.0\.1:\d+\/99 names a database that the server does not have \(ERR DB index/,
  );
});

test("an eviction policy that may lose jobs is a warning", async () => {
  await admin.config("SET", "maxmemory-policy", "allkeys-lru");
  expect(await checkRedis({ redisUrl: server.url })).toEqual([
    expect.stringMatching(/^REDIS_URL: redis:.* has the maxmemory-policy allkeys-lru .* noeviction$/),
  ]);
  await admin.config("SET", "maxmemory-policy", "noeviction");
});

test("a Redis that keeps nothing on disk is a warning", async () => {
  await admin.config("SET", "appendonly", "no");
  expect(await checkRedis({ redisUrl: server.url })).toEqual([
    expect.stringMatching(/^REDIS_URL: redis:.* keeps no append-only file .* yes$/),
  ]);
  await admin.config("SET", "appendonly", "yes");
});

test("a Redis that answers before what it took is on its disk is a warning", async () => {
  await admin.config("SET", "appendfsync", "everysec");
  expect(await checkRedis({ redisUrl: server.url })).toEqual([
    expect.stringMatching(/^REDIS_URL: redis:.* has the appendfsync everysec .* always$/),
  ]);
  await admin.acl("SETUSER", "magpie", "-config");
  expect(await checkRedis({ redisUrl: withPassword("right") })).toEqual([]);
  await admin.config("SET", "appendfsync", "always");
});

test("a Redis that has fewer replicas than must confirm is a warning", async () => {
  expect(await checkRedis({ redisUrl: server.url, redisReplicas: 2 })).toEqual([
    expect.stringMatching(/^REDIS_REPLICAS: redis:.* has 0 of the 2 replicas that must confirm/),
  ]);
});

test("a user who may not do enough is distinguished from an unknown one", async () => {
  await admin.acl("SETUSER", "magpie", "-time");
  expect(await messageFor(withPassword("right"))).toMatch(/does not grant this user what is needed \(NOPERM/);
});

describe("servers that are not as they should be", () => {
  const opened: Server[] = [];
  afterAll(() => {
    for (const each of opened) each.close();
  });

  test.each([
    ["an old version", "6.0.16", 0, /is Redis 6\.0\.16; 6\.2 or later is needed$/],
    ["one that is barely new enough", "6.2.0", 0, /^fine$/],
    ["a later one with more digits", "10.0.1", 0, /^fine$/],
    // By some seconds less where the machine is slow to read the answer.
    [
      "a clock that is ahead",
      "7.4.0",
      3600,
      /the clock of this node is (359\d|3600)\.\d s behind that of redis:/,
    ],
    [
      "a clock that is behind",
      "7.4.0",
      -3600,
      /the clock of this node is (359\d|360[01])\.\d s ahead of that of redis:/,
    ],
    ["a clock that is a little off", "7.4.0", 3, /^fine$/],
  ])("%s", async (_, version, offSeconds, expected) => {
    expect(await messageFor(await pretend(version, offSeconds))).toMatch(expected);
  });

  /** What answers like a Redis of this version, whose clock is off. */
  async function pretend(version: string, offSeconds: number): Promise<string> {
    const answerTo = (command: string) => {
      const time = String(Math.floor(Date.now() / 1000) + offSeconds);
      if (/\btime\b/i.test(command)) return `*2\r\n$${time.length}\r\n${time}\r\n$1\r\n0\r\n`;
      const info = `redis_version:${version}\r\nloading:0\r\nmaxmemory_policy:noeviction\r\n`;
      if (/\binfo\b/i.test(command)) return `$${info.length}\r\n${info}\r\n`;
      return "+OK\r\n";
    };
    const listening = createServer(socket => {
      socket.on("data", data => {
        for (const command of String(data).split(/(?=\*\d+\r\n)/)) socket.write(answerTo(command));
      });
      socket.on("error", () => socket.destroy());
    });
    opened.push(listening);
    await new Promise<void>(resolve => listening.listen(0, "127.0.0.1", resolve));
    const address = listening.address();
    if (address === null || typeof address === "string") throw new Error("not listening");
    return `redis://127.0.0.1:${address.port}`;
  }
});
