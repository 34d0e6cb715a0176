import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { needs } from "../../support/needs.ts";

const unit = readFileSync(join(import.meta.dirname, "../../../deploy/magpie.service"), "utf8");
const isThere = spawnSync("systemd-analyze", ["--version"]).status === 0;
// Containers and other systems have none.
const withSystemd = needs(isThere, "systemd-analyze (Debian: apt-get install systemd)", { isOptional: true });

function analyze(command: string[], text: string) {
  const folder = mkdtempSync(join(tmpdir(), "magpie-unit-"));
  const file = join(folder, "magpie.service");
  // A Node that is there: where it is installed is the machine's.
  writeFileSync(file, text.replace("/usr/bin/node", process.execPath));
  const { status, stdout, stderr } = spawnSync("systemd-analyze", [...command, file], { encoding: "utf8" });
  rmSync(folder, { recursive: true });
  return { status, said: stdout + stderr };
}

withSystemd.test("systemd finds nothing wrong with the unit, and finds what is", () => {
  expect(analyze(["verify"], unit)).toEqual({ status: 0, said: "" });
  expect(analyze(["verify"], unit.replace("ProtectSystem", "ProtectSystems")).said).toContain(
    "ProtectSystems",
  );
});

withSystemd.test("the unit is exposed little, as systemd counts", () => {
  const { said } = analyze(["security", "--offline=true"], unit);
  const [, exposure] = /Overall exposure level for magpie\.service: ([\d.]+)/.exec(said) ?? [];
  expect(Number(exposure)).toBeLessThan(4.5);
});

test("it has the time to drain, a user of its own and one folder that lasts", () => {
  expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(25);
  for (const line of ["DynamicUser=yes", "StateDirectory=magpie", "ProtectSystem=strict", "MemoryMax=3G"])
    expect(unit.split("\n")).toContain(line);
  expect(unit).toMatch(/DATA_DIR=\/var\/lib\/magpie\b/);
});
