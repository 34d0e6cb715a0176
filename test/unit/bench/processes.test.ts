import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { cpuSeconds, descendants, kilobytes } from "../../bench/processes.ts";
import { removeFolder } from "../../support/folders.ts";

test("a name with brackets and spaces leaves the figures of a process where they are", async () => {
  const folder = mkdtempSync(join(tmpdir(), "magpie-processes-"));
  const program = join(folder, "a) R 1 (b");
  copyFileSync("/bin/sh", program);
  const script = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; echo done; read line";
  const child = spawn(program, ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  const pid = child.pid ?? 0;
  try {
    await once(child.stdout, "data");
    expect(descendants(process.pid)).toContain(pid);
    expect(descendants(pid)).toEqual([]);
    expect(cpuSeconds([pid])).toBeGreaterThan(0);
    expect(kilobytes(pid, "status", "VmRSS")).toBeGreaterThan(0);
  } finally {
    const gone = once(child, "exit");
    child.stdin.end();
    await gone;
    await removeFolder(folder);
  }
  expect(kilobytes(pid, "status", "VmRSS")).toBe(0);
});
