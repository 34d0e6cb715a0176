/** `node tools/pack-reader.ts [folder]`: packs the reader by itself: JavaScript with its types, its data and the README. */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

const root = join(import.meta.dirname, "..");
const reader = join(root, "reader");

/** Returns the path of the tarball, which is in the folder `into`. */
export function packReader(into: string): string {
  const folder = mkdtempSync(join(tmpdir(), "magpie-reader-"));
  try {
    const compiler = join(root, "node_modules/.bin/tsc");
    const options = ["--project", join(reader, "tsconfig.build.json"), "--outDir", join(folder, "dist")];
    execFileSync(process.execPath, [compiler, ...options], { stdio: ["ignore", "inherit", "inherit"] });
    for (const file of ["content/model.bin", "pdf/cmaps.bin", "pdf/cmaps-licence.txt"])
      cpSync(join(reader, file), join(folder, "dist", file));
    for (const file of ["package.json", "README.md"]) cpSync(join(reader, file), join(folder, file));
    cpSync(join(root, "LICENSE"), join(folder, "LICENSE"));
    const args = ["pack", "--json", "--pack-destination", into];
    const [packed] = JSON.parse(execFileSync("npm", args, { cwd: folder, encoding: "utf8" }));
    return join(into, packed.filename);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

if (import.meta.main) process.stdout.write(`${packReader(resolve(process.argv[2] ?? "."))}\n`);
