import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeFolder } from "../../../mixins/config/make-folder.ts";
import { removeFolder } from "../../support/folders.ts";
import { needs } from "../../support/needs.ts";

const root = mkdtempSync(join(tmpdir(), "magpie-folder-"));
afterAll(() => removeFolder(root));
const onLinux = needs(existsSync("/proc/self"), "Linux", { isOptional: true });

test("what is missing is made, and what is there stays", () => {
  makeFolder(join(root, "a", "b", "c"), 0o700);
  makeFolder(join(root, "a", "b"), 0o755);
  expect(statSync(join(root, "a", "b")).mode & 0o777).toBe(0o700);
  expect(statSync(join(root, "a", "b", "c")).isDirectory()).toBe(true);
});

test("a file is no folder", () => {
  writeFileSync(join(root, "file"), "");
  expect(() => makeFolder(join(root, "file"))).toThrow("EEXIST");
  expect(() => makeFolder(join(root, "file", "below"))).toThrow("ENOTDIR");
});

onLinux.test("where nothing can be made, it ends", () => {
  const path = join(import.meta.dirname, "../../../mixins/config/make-folder.ts");
  const program = `import { makeFolder } from ${JSON.stringify(path)}; makeFolder("/proc/magpie/below");`;
  const args = ["--no-warnings", "--input-type=module", "-e", program];
  const { signal, stderr } = spawnSync(process.execPath, args, { timeout: 30_000, encoding: "utf8" });
  expect(signal).toBeNull();
  expect(stderr).toContain("ENOENT");
});
