import { mkdtemp, readdir, rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { keyInGroup } from "../../mixins/store/blobs/blobs.ts";
import { diskBlobs } from "../../mixins/store/blobs/disk.blobs.ts";
import { removeFolder } from "../support/folders.ts";

test("what a process left that died while it wrote a blob goes with the blob", async () => {
  const root = await mkdtemp(join(tmpdir(), "magpie-blobs-"));
  const blobs = diskBlobs(root);
  const key = keyInGroup("log/k");
  await blobs.put(Buffer.from("events"), { owner: "k", contentType: "text/plain", key });
  const [folder = ""] = await readdir(join(root, "groups"));
  const path = join(root, "groups", folder, key);
  await rename(path, `${path}.draft`);
  await blobs.remove(key);
  expect(await readdir(join(root, "groups", folder))).toEqual([]);
  await removeFolder(root);
});
