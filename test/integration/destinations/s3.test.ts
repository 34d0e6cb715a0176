import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { createEgress } from "../../../mixins/egress/egress.ts";
import { S3Bucket } from "../../../mixins/store/blobs/s3-bucket.ts";
import { openS3 } from "../../../services/webhook-dispatcher/destinations/s3/s3.ts";
import { destinationSuite } from "../../suites/destination.suite.ts";
import { eventsIn } from "../../support/ndjson.ts";
import { startS3, withS3 } from "../../support/s3.ts";

const server = await startS3();
const egress = createEgress({ allow: ["127.0.0.1/32"] });
const ways = { agent: egress.agent(), egress, folder: undefined };
const { signal } = new AbortController();
afterAll(async () => {
  await egress.close();
  await server.stop();
});

withS3(server).describe("a bucket", () => {
  const place = server.isThere ? server.place() : undefined;
  const { endpoint = "", region = "", bucket = "", accessKeyId = "", secretAccessKey = "" } = place ?? {};
  const options = {
    type: "s3" as const,
    prefix: "shop/events",
    ...{ endpoint, region, bucket, access_key_id: accessKeyId, secret_access_key: secretAccessKey },
  };
  const reader = new S3Bucket(place as NonNullable<typeof place>);
  afterAll(() => reader.close());

  const objects = () => reader.names({ prefix: "shop/events/", limit: 1_000 });

  destinationSuite(() => ({
    ways,
    options,
    secrets: ["secret_access_key"],
    written: async () => {
      const texts: string[] = [];
      for (const name of await objects()) texts.push(await text(reader.read(name)));
      return texts.flatMap(eventsIn);
    },
    refused: {
      options: { ...options, secret_access_key: "another secret" },
      says: /^SignatureDoesNotMatch: /,
    },
  }));

  test("objects are NDJSON below the prefix", async () => {
    const [name = ""] = await objects();
    expect(name).toMatch(/^shop\/events\/2026\/11\/29\/.+\.ndjson$/);
    expect((await reader.head(name))?.["content-type"]).toBe("application/x-ndjson");
  });

  test("a bucket that does not exist is gone: 404 with the words of the server", async () => {
    const opened = await openS3({ ...options, bucket: "no-such-bucket" }, writer, ways, signal);
    await expect(opened.write(one, signal)).rejects.toMatchObject({
      status: 404,
      message: expect.stringMatching(/^NoSuchBucket: /),
    });
  });
});

const writer = { keyId: "k", webhookId: "w" };
const one = {
  events: [{ id: "e", type: "webhook.test", timestamp: "", body: "{}", seq: 1, conversation: null }],
  path: "2026/1.ndjson",
} as const;
const keys = { region: "us-east-1", access_key_id: "a", secret_access_key: "b" };

test("an address that begins with the bucket's name is the bucket, others have it in the path", async () => {
  const paths: string[] = [];
  const plain = createServer((request, response) => {
    paths.push(`${request.headers.host?.split(":")[0]} ${request.url}`);
    response.end();
  }).listen(0, "127.0.0.1");
  await once(plain, "listening");
  const { port } = plain.address() as AddressInfo;
  for (const endpoint of [`http://s3.example.org:${port}/base/`, `http://shop.s3.example.org:${port}`]) {
    const opened = await openS3({ type: "s3", bucket: "shop", endpoint, ...keys }, writer, localWays, signal);
    await opened.write(one, signal);
  }
  expect(paths).toEqual(["s3.example.org /base/shop/2026/1.ndjson", "shop.s3.example.org /2026/1.ndjson"]);
  plain.closeAllConnections();
  plain.close();
});

const localEgress = createEgress({
  allow: ["127.0.0.1/32"],
  lookup: async () => [{ address: "127.0.0.1", family: 4 }],
});
const localWays = { ...ways, egress: localEgress, agent: localEgress.agent() };
afterAll(() => localEgress.close());

test("a name that leads to a private address is not reached", async () => {
  const inner = createEgress({ allow: [], lookup: async () => [{ address: "10.0.0.1", family: 4 }] });
  const guarded = { ...ways, egress: inner, agent: inner.agent() };
  const opened = await openS3({ type: "s3", bucket: "shop", ...keys }, writer, guarded, signal);
  await expect(opened.write(one, signal)).rejects.toMatchObject({ code: "EGRESS_REFUSED" });
  await inner.close();
});
