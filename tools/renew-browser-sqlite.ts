/**
 * `npm exec -- node tools/renew-browser-sqlite.ts`, on Debian 12 for amd64: writes SQLite's library for the bundled browser
 * anew, out of Debian's package libsqlite3-0, and what it is beside it. A newer Debian's would need a newer C library than
 * the browser does.
 */
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const source = "libsqlite3-0:amd64";
const library = "usr/lib/x86_64-linux-gnu/libsqlite3.so.0";
const target = join(import.meta.dirname, "../mixins/browser/bundled");

const folder = mkdtempSync(join(tmpdir(), "magpie-sqlite-"));
try {
  const run = (program: string, ...args: string[]) =>
    execFileSync(program, args, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  run("apt-get", "download", source);
  const [file = ""] = run("ls").trim().split("\n");
  run("dpkg-deb", "-x", file, "unpacked");
  const bytes = readFileSync(join(folder, "unpacked", library));
  const about = {
    package: source,
    version: run("dpkg-deb", "-f", file, "Version").trim(),
    sha256: createHash("sha256").update(bytes).digest("hex"),
  };
  writeFileSync(join(target, "libsqlite3.so.0.gz"), gzipSync(bytes, { level: 9 }));
  writeFileSync(join(target, "libsqlite3.json"), `${JSON.stringify(about, null, 2)}\n`);
  console.log(`${about.package} ${about.version}`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}
