import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import {
  type ClaimedRequest,
  claimIndexes,
  claimJob,
  pruneClaims,
  type StoredClaim,
} from "../../mixins/store/idempotency.ts";
import { storeMixin, type WithStore } from "../../mixins/store/store.mixin.ts";
import type { Store } from "../../mixins/store/store.ts";
import { removeFolder } from "../support/folders.ts";

const dataDir = mkdtempSync(join(tmpdir(), "magpie-claims-"));
const hourMs = 3_600_000;
const broker = new ServiceBroker({ logger: false });
const mixin = storeMixin({ dataDir }, { collection: "claims", indexes: claimIndexes });
const service = broker.createService({ name: "room", mixins: [mixin] });
let claims: Store<StoredClaim>;
let made = 0;
const newId = () => `job_${++made}`;

beforeAll(async () => {
  await broker.start();
  claims = (service as unknown as WithStore<StoredClaim>).store;
});

afterEach(() => claims.removeMany({}));

afterAll(async () => {
  await broker.stop();
  await removeFolder(dataDir);
});

const first: ClaimedRequest = {
  keyId: "k1",
  operation: "scrape",
  key: "a-key",
  body: { url: "https://a.test/", output: { formats: ["html"], screenshot: "viewport" } },
};
const claim = (request: Partial<ClaimedRequest> = {}, now = 0) =>
  claimJob(claims, { ...first, ...request }, newId, now);

test("the same request has the same job, whatever the order of its fields", async () => {
  const id = await claim();
  const body = { output: { screenshot: "viewport", formats: ["html"] }, url: "https://a.test/" };
  expect(await claim({ body })).toBe(id);
});

test("requests that come at once stand for one job", async () => {
  const ids = await Promise.all(Array.from({ length: 20 }, () => claim()));
  expect(new Set(ids).size).toBe(1);
});

test.each([
  ["without a key", { key: undefined }],
  ["with another key", { key: "b-key" }],
  ["of another API key", { keyId: "k2" }],
  ["of another operation", { operation: "crawl" }],
])("a request %s has a job of its own", async (_, other) => {
  const id = await claim();
  expect(await claim(other)).not.toBe(id);
});

test.each([
  ["a value", { url: "https://b.test/" }],
  ["the order of a list", { list: ["b", "a"] }],
])("another body is a conflict: %s", async (_, body) => {
  await claim({ body: { url: "https://a.test/", list: ["a", "b"] } });
  await expect(claim({ body })).rejects.toMatchObject({ type: "conflict", code: 409 });
});

test("a key is free again after 24 hours, pruned or not", async () => {
  const id = await claim();
  expect(await claim({}, 24 * hourMs - 1)).toBe(id);
  expect(await claim({ body: { url: "https://b.test/" } }, 24 * hourMs)).not.toBe(id);
  await pruneClaims(claims, 48 * hourMs - 1);
  expect(await claims.count()).toBe(1);
  await pruneClaims(claims, 48 * hourMs);
  expect(await claims.count()).toBe(0);
});
