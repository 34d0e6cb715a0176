import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openEmbeddedHistory } from "../../mixins/history/embedded.history.ts";
import { historySuite } from "../suites/history.suite.ts";
import { removeFolder } from "../support/folders.ts";

historySuite("sqlite", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-history-"));
  const path = join(folder, "magpie.db");
  const [history, other] = [openEmbeddedHistory(path), openEmbeddedHistory(path)];
  return {
    history,
    other,
    advance: () => undefined,
    close: async () => {
      await Promise.all([history.close(), other.close()]);
      await removeFolder(folder);
    },
  };
});

test("the words of an event that wait to be written go with its source", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-history-"));
  const path = join(folder, "magpie.db");
  const [writing, erasing] = [openEmbeddedHistory(path), openEmbeddedHistory(path)];
  try {
    const event = {
      id: "post-1",
      kind: "event",
      sourceId: "gone",
      at: 1,
      title: "Post",
      text: "lantern",
    } as const;
    const added = writing.addEvents([event]);
    expect(await erasing.erase("gone")).toBe(true);
    await added;
    const query = { wanted: [{ words: ["lantern"], isPrefix: false }], unwanted: [], sources: [], tags: [] };
    expect(await writing.search(query, [{ sourceId: "gone", from: 0 }], { limit: 10 })).toEqual([]);
  } finally {
    await Promise.all([writing.close(), erasing.close()]);
    await removeFolder(folder);
  }
});
