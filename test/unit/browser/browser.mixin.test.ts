import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { scratchFolder } from "../../../mixins/browser/browser.mixin.ts";
import { removeFolder } from "../../support/folders.ts";

const root = mkdtempSync(join(tmpdir(), "magpie-scratch-"));
afterAll(() => removeFolder(root));

test("the folders of processes that live stay, and all others go", async () => {
  const dead = spawn(process.execPath, ["-e", ""]);
  await once(dead, "exit");
  const mine = scratchFolder(root);
  const names = {
    living: `${hostname()}.${process.ppid}.0`,
    dead: `${hostname()}.${dead.pid}.0`,
    before: `${hostname()}.${process.pid}.7`,
    elsewhere: "another-host.1.0",
    old: "browser-x1y2",
  };
  for (const name of [...Object.values(names), mine.slice(root.length + 1)])
    mkdirSync(join(root, name, "profile"), { recursive: true });
  const next = scratchFolder(root);
  expect(next).not.toBe(mine);
  const left = Object.entries(names).filter(([, name]) => existsSync(join(root, name)));
  expect(left.map(([which]) => which)).toEqual(["living", "elsewhere"]);
  expect(existsSync(mine)).toBe(true);
});

test("where none can be made, the setting is named", () => {
  writeFileSync(join(root, "file"), "");
  for (const place of [join(root, "file", "tmp"), join(root, "file")])
    expect(() => scratchFolder(place)).toThrow(/^DATA_DIR: .*file.* cannot be written \((ENOTDIR|EEXIST)/);
});
