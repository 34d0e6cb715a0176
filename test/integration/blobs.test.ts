import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { ServiceBroker } from "moleculer";
import { blobsMixin, type WithBlobs } from "../../mixins/blobs/blobs.mixin.ts";
import { diskBlobs } from "../../mixins/blobs/disk.blobs.ts";
import { blobsSuite } from "../suites/blobs.suite.ts";

const temporary = () => mkdtempSync(join(tmpdir(), "magpie-blobs-"));

blobsSuite("disk", async () => {
  const root = temporary();
  let now = 1_800_000_000_000;
  return {
    blobs: diskBlobs(root, () => now),
    now: () => now,
    advance: ms => {
      now += ms;
    },
    close: async () => rmSync(root, { recursive: true }),
  };
});

describe("blobs on disk", () => {
  const png = { owner: "ann", contentType: "image/png", ttlMs: 60_000 };
  let root: string;
  beforeEach(() => {
    root = temporary();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  test("a sweep clears the folders of past hours with what a dead process left in them", async () => {
    const key = await diskBlobs(root, () => 0).put(Buffer.from("x"), png);
    const [folder = ""] = readdirSync(root);
    writeFileSync(join(root, folder, `${key}.draft`), "half");
    expect(await diskBlobs(root).sweep(3_600_000)).toBe(1);
    expect(readdirSync(root)).toEqual([]);
  });

  test("a write that fails leaves nothing and says so", async () => {
    writeFileSync(join(root, "file"), "");
    await expect(diskBlobs(join(root, "file")).put(Buffer.from("x"), png)).rejects.toThrow("ENOTDIR");
    expect(readdirSync(root)).toEqual(["file"]);
  });

  test("the mixin sweeps at start and finds what another start put", async () => {
    const boot = async () => {
      const broker = new ServiceBroker({ logger: false });
      const service = broker.createService({ name: "a", mixins: [blobsMixin({ dataDir: root })] });
      await broker.start();
      return { broker, blobs: (service as unknown as WithBlobs).blobs };
    };
    const first = await boot();
    const key = await first.blobs.put(Buffer.from("picture"), png);
    await diskBlobs(join(root, "blobs"), () => 0).put(Buffer.from("old"), png);
    await first.broker.stop();
    const second = await boot();
    const found = await second.blobs.open(key, "ann");
    expect(found && (await buffer(found.body)).toString()).toBe("picture");
    expect(readdirSync(join(root, "blobs"))).toHaveLength(1);
    await second.broker.stop();
  });
});
