import { buffer } from "node:stream/consumers";
import { type Blobs, keyInGroup } from "../../mixins/store/blobs/blobs.ts";

/** An empty store of blobs whose clock the suite moves. */
export interface BlobsDriver {
  blobs: Blobs;
  now(): number;
  advance(ms: number): void;
  close(): Promise<void>;
}

/** What every driver of the blobs does alike. */
export function blobsSuite(name: string, open: () => Promise<BlobsDriver>): void {
  describe(`blobs: ${name}`, () => {
    let driver: BlobsDriver;
    beforeEach(async () => {
      driver = await open();
    });
    afterEach(() => driver.close());

    const meta = { owner: "ann", contentType: "image/png", ttlMs: 3_600_000 };
    const lasting = { owner: "ann", contentType: "application/zstd" };
    const put = (bytes = Buffer.from("picture"), change: Partial<typeof meta> = {}) =>
      driver.blobs.put(bytes, { ...meta, ...change });

    test.each([
      ["nothing", Buffer.alloc(0)],
      ["a little", Buffer.from([0, 255, 10, 13])],
      ["3 MB", Buffer.alloc(3_000_001, "0123456789abcdef")],
    ])("%s comes back byte for byte", async (_, bytes) => {
      const found = await driver.blobs.open(await put(bytes), "ann");
      expect(found).toMatchObject({ contentType: "image/png", size: bytes.length });
      expect(found && (await buffer(found.body)).equals(bytes)).toBe(true);
    });

    test("keys fit a URL and do not repeat", async () => {
      const keys = await Promise.all(Array.from({ length: 20 }, () => put()));
      expect(new Set(keys).size).toBe(20);
      for (const key of keys) expect(key).toMatch(/^[\w-]{32,128}$/);
    });

    test("null for another owner, whatever the name", async () => {
      const key = await put();
      for (const owner of ["bob", "", "ann ", "Ann"]) expect(await driver.blobs.open(key, owner)).toBeNull();
    });

    test("null for what is no key or is changed by a character", async () => {
      const key = await put();
      const changed = key.slice(0, -1) + (key.endsWith("A") ? "B" : "A");
      const wrong = [
        changed,
        "",
        ".",
        "..",
        "../../etc/passwd",
        `x/../${key}`,
        `${key}/`,
        `${key}\0`,
        `./${key}`,
      ];
      for (const path of wrong) expect(await driver.blobs.open(path, "ann")).toBeNull();
    });

    test("expires to the millisecond", async () => {
      const key = await put(undefined, { ttlMs: 1000 });
      driver.advance(999);
      const found = await driver.blobs.open(key, "ann");
      found?.body.destroy();
      expect(found).not.toBeNull();
      driver.advance(1);
      expect(await driver.blobs.open(key, "ann")).toBeNull();
    });

    test("of a group all live until it is dropped, and no others go with them", async () => {
      const putInto = (group: string) =>
        driver.blobs.put(Buffer.from("picture"), { owner: "ann", contentType: "image/png", group });
      const [one, two] = [await putInto("crawl/../1"), await putInto("crawl/../1")];
      const [other, timed] = [await putInto("crawl 2"), await put(undefined, { ttlMs: 1e12 })];
      const found = async (key: string, owner = "ann") => {
        const blob = await driver.blobs.open(key, owner);
        blob?.body.destroy();
        return blob !== null;
      };
      driver.advance(1e11);
      expect(await driver.blobs.sweep(driver.now())).toBe(0);
      expect(await Promise.all([one, two, other, timed].map(key => found(key)))).toEqual(Array(4).fill(true));
      for (const key of [one, other]) {
        expect(key).toMatch(/^[\w-]{32,128}$/);
        expect(await found(key, "bob")).toBe(false);
      }
      await driver.blobs.dropGroup("crawl/../1");
      await driver.blobs.dropGroup("of nothing");
      expect(await Promise.all([one, two, other, timed].map(key => found(key)))).toEqual([
        ...[false, false],
        ...[true, true],
      ]);
    });

    test("a blob under a key that was made before lives until it is removed, and others stay", async () => {
      const [key, other] = [keyInGroup("log"), keyInGroup("log")];
      expect(await driver.blobs.open(key, "ann")).toBeNull();
      for (const one of [key, other])
        expect(await driver.blobs.put(Buffer.from(one), { ...lasting, key: one })).toBe(one);
      const timed = await put();
      driver.advance(1e11);
      const found = await driver.blobs.open(key, "ann");
      expect(found && (await buffer(found.body)).toString()).toBe(key);
      for (const gone of [key, timed, key, "../../etc/passwd", ""]) await driver.blobs.remove(gone);
      expect(await driver.blobs.open(key, "ann")).toBeNull();
      const kept = await driver.blobs.open(other, "ann");
      expect(kept && (await buffer(kept.body)).toString()).toBe(other);
      await driver.blobs.dropGroup("log");
      expect(await driver.blobs.open(other, "ann")).toBeNull();
      const foreign = driver.blobs.put(Buffer.from("x"), { ...lasting, key: "../../etc/passwd" });
      await expect(foreign).rejects.toThrow("keyInGroup");
    });

    test("a sweep removes what has expired, and no more", async () => {
      const keys = await Promise.all(
        [1, 1000, 4_000_000, 90_000_000].map(ttlMs => put(undefined, { ttlMs })),
      );
      expect(await driver.blobs.sweep(driver.now())).toBe(0);
      driver.advance(4_000_000);
      expect(await driver.blobs.sweep(driver.now())).toBe(3);
      expect(await driver.blobs.sweep(driver.now())).toBe(0);
      const left = await driver.blobs.open(keys[3] as string, "ann");
      left?.body.destroy();
      expect(left).not.toBeNull();
    });
  });
}
