import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { ServiceBroker } from "moleculer";
import { blobsMixin, type WithBlobs } from "../../mixins/store/blobs/blobs.mixin.ts";
import { openS3Blobs, s3Blobs } from "../../mixins/store/blobs/s3.blobs.ts";
import { S3Bucket } from "../../mixins/store/blobs/s3-bucket.ts";
import { blobsSuite } from "../suites/blobs.suite.ts";
import { assertKnownSource, versitygw } from "../support/go-program.ts";
import { startS3, withS3 } from "../support/s3.ts";

const s3 = await startS3();
afterAll(() => s3.stop());

const png = { owner: "ann", contentType: "image/png" };
const overloaded = expect.objectContaining({ type: "overloaded" });

test("a source that is not the known one is refused before it is built", () => {
  expect(() => assertKnownSource(versitygw, "h1:other")).toThrow("h1:other, not h1:");
});

withS3(s3).describe("a bucket", () => {
  blobsSuite("S3", async () => {
    let now = 1_800_000_000_000;
    const place = s3.place();
    const bucket = new S3Bucket(place);
    return {
      blobs: s3Blobs({ bucket, prefix: place.prefix }, () => now),
      now: () => now,
      advance: ms => {
        now += ms;
      },
      close: () => bucket.close(),
    };
  });

  const opened = async (change = {}) => {
    const place = { ...s3.place(), ...change };
    return { place, ...(await openS3Blobs(place)) };
  };

  test("a sweep and a group's end remove more than a page of names, and nothing else of the bucket", async () => {
    const { place, blobs, close } = await opened({ prefix: "shared/a/" });
    const bucket = new S3Bucket(place);
    for (const name of ["shared/b", "shared/a/notes.txt"]) await bucket.put(name, Buffer.from("x"), {});
    for (let n = 0; n < 1010; n += 10)
      await Promise.all(
        Array.from({ length: 10 }, () =>
          Promise.all([
            blobs.put(Buffer.from("x"), { ...png, ttlMs: 1 }),
            blobs.put(Buffer.from("x"), { ...png, group: "g" }),
          ]),
        ),
      );
    const later = await blobs.put(Buffer.from("x"), { ...png, ttlMs: 3_600_000 });
    expect(await blobs.sweep(Date.now() + 1000)).toBe(1010);
    expect(await bucket.names({ prefix: "shared/a/", limit: 1000 })).toHaveLength(1000);
    await blobs.dropGroup("g");
    expect(await bucket.names({ prefix: "shared/", limit: 10 })).toEqual([
      `shared/a/${later}`,
      "shared/a/notes.txt",
      "shared/b",
    ]);
    await Promise.all([close(), bucket.close()]);
  }, 120_000);

  test("an owner's name is kept exactly, whatever its characters", async () => {
    const { blobs, close } = await opened();
    for (const owner of ["Zoë  & co\n", "%2F", ""]) {
      const key = await blobs.put(Buffer.from("x"), { ...png, owner, ttlMs: 60_000 });
      expect(await blobs.open(key, `${owner} `)).toBeNull();
      const found = await blobs.open(key, owner);
      expect(found && (await buffer(found.body)).toString()).toBe("x");
    }
    await close();
  });

  test("a start is refused with the setting to mend, and without the secret", async () => {
    const refusal = async (change: object) => String(await opened(change).catch(error => error));
    expect(await refusal({ bucket: "no-such-bucket" })).toMatch(/S3_BUCKET: .*404 \(NoSuchBucket\)/);
    expect(await refusal({ secretAccessKey: "wrong" })).toMatch(/S3_BUCKET: .*403 \(SignatureDoesNotMatch\)/);
    const away = await refusal({ endpoint: "http://127.0.0.1:1" });
    expect(away).toMatch(/S3_ENDPOINT: .*ECONNREFUSED/);
    expect(away).not.toContain(s3.place().secretAccessKey);
  });

  test("a server that is away is overloaded, and heals", async () => {
    const { blobs, close } = await opened();
    const key = await blobs.put(Buffer.from("picture"), { ...png, ttlMs: 60_000 });
    const open = await blobs.open(key, "ann");
    await s3.kill();
    await expect(open && buffer(open.body)).rejects.toEqual(overloaded);
    await expect(blobs.put(Buffer.from("x"), { ...png, ttlMs: 1 })).rejects.toEqual(overloaded);
    await expect(blobs.open(key, "ann")).rejects.toEqual(overloaded);
    await expect(blobs.sweep(0)).rejects.toEqual(overloaded);
    await s3.restart();
    const found = await blobs.open(key, "ann");
    expect(found && (await buffer(found.body)).toString()).toBe("picture");
    await close();
  });

  test.each([true, false])("the mixin uses the bucket that is set, in a cluster: %s", async isCluster => {
    const place = s3.place();
    const none = "nats://127.0.0.1:1";
    const cluster = { natsUrl: none, redisUrl: none, mongoUrl: "mongodb://127.0.0.1:1", namespace: "none" };
    const broker = new ServiceBroker({ logger: false });
    const config = { dataDir: "/nowhere", s3: place, ...(isCluster && { cluster }) };
    const service = broker.createService({ name: "a", mixins: [blobsMixin(config)] });
    await broker.start();
    const { blobs } = service as unknown as WithBlobs;
    const key = await blobs.put(Buffer.from("picture"), { ...png, ttlMs: 60_000 });
    await broker.stop();
    const bucket = new S3Bucket(place);
    expect(await bucket.names({ prefix: place.prefix, limit: 10 })).toEqual([place.prefix + key]);
    await bucket.close();
  });
});

describe("a server that stumbles", () => {
  /** Answers as many requests with a status as it is given, and then with an empty list. */
  const stumbling = async (...statuses: number[]) => {
    let asked = 0;
    const server = createServer((request, response) => {
      request.resume();
      const status = statuses[asked];
      asked += 1;
      response.writeHead(status ?? 200).end(status ? "<Code>SlowDown</Code>" : "<ListBucketResult/>");
    }).listen(0, "127.0.0.1");
    await new Promise(resolve => server.once("listening", resolve));
    const { port } = server.address() as AddressInfo;
    const keys = { accessKeyId: "k", secretAccessKey: "s" };
    const place = { endpoint: `http://127.0.0.1:${port}`, bucket: "b", region: "r", prefix: "p/", ...keys };
    const bucket = new S3Bucket(place);
    const outcome = await s3Blobs({ bucket, prefix: "p/" })
      .sweep(0)
      .catch(error => error);
    await bucket.close();
    server.close();
    return { outcome, asked };
  };

  test("is asked again, three times at most; what it refuses is not repeated", async () => {
    expect(await stumbling(503, 429)).toEqual({ outcome: 0, asked: 3 });
    expect(await stumbling(503, 500, 503, 503)).toEqual({ outcome: overloaded, asked: 3 });
    const { outcome, asked } = await stumbling(403);
    expect([String(outcome), asked]).toEqual([
      "Error: The S3 server has answered with the status 403 (SlowDown).",
      1,
    ]);
  });
});
