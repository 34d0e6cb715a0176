import { mkdirSync, mkdtempSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createEgress } from "../../../mixins/egress/egress.ts";
import { type DestinationWorld, destinationSuite } from "../../suites/destination.suite.ts";
import { removeFolder } from "../../support/folders.ts";
import { linesBelow } from "../../support/ndjson.ts";

let folder: string;
let world: DestinationWorld;
const egress = createEgress({ allow: [] });

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-folder-"));
  mkdirSync(join(folder, "key"));
  writeFileSync(join(folder, "key", "taken"), "a file");
  world = {
    ways: { agent: egress.agent(), egress, folder },
    options: { type: "folder", path: "orders/eu" },
    secrets: [],
    written: async () => linesBelow(join(folder, "key", "orders")),
    refused: { options: { type: "folder", path: "taken" }, says: /^A file has the name of a folder/ },
  };
});
afterAll(async () => {
  await egress.close();
  await removeFolder(folder);
});

describe("a folder", () => {
  destinationSuite(() => world);

  test("a link that leads elsewhere is not followed", async () => {
    const outside = mkdtempSync(join(tmpdir(), "magpie-outside-"));
    symlinkSync(outside, join(folder, "key", "link"));
    const { openFolder } = await import("../../../services/webhook-dispatcher/destinations/folder/folder.ts");
    const { signal } = new AbortController();
    const writer = { keyId: "key", webhookId: "w" };
    const opened = await openFolder({ type: "folder", path: "link" }, writer, world.ways, signal);
    const event = { id: "e", type: "webhook.test", timestamp: "", body: "{}" } as const;
    const writing = opened.write(
      { events: [{ ...event, seq: 1, conversation: null }], path: "a.ndjson" },
      signal,
    );
    await expect(writing).rejects.toThrow("leads out of DESTINATION_FOLDER");
    expect(readdirSync(outside)).toEqual([]);
    await removeFolder(outside);
  });

  test("a file is replaced as a whole, and nothing unfinished stays", async () => {
    const { openFolder } = await import("../../../services/webhook-dispatcher/destinations/folder/folder.ts");
    const { signal } = new AbortController();
    const opened = await openFolder(
      { type: "folder" },
      { keyId: "other", webhookId: "w" },
      world.ways,
      signal,
    );
    const event = { type: "webhook.test", timestamp: "", conversation: null } as const;
    const of = (...seqs: number[]) =>
      seqs.map(seq => ({ ...event, id: `${seq}`, seq, body: `{"seq":${seq}}` }));
    await opened.write({ events: of(1, 2, 3), path: "2026/1.ndjson" }, signal);
    await opened.write({ events: of(1), path: "2026/1.ndjson" }, signal);
    expect(readFileSync(join(folder, "other", "2026", "1.ndjson"), "utf8")).toBe('{"seq":1}\n');
    expect(readdirSync(join(folder, "other", ".unfinished"))).toEqual([]);
  });
});
