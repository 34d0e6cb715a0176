/**
 * `npm exec -- node tools/renew-cmaps.ts [version]`: writes reader/pdf/cmaps.bin anew, from that version of pdfjs-dist, by
 * default the one that unpdf contains. The package is 36 MB large, and nothing else of it is read.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { brotliCompressSync } from "node:zlib";

const target = join(import.meta.dirname, "../reader/pdf");
const folder = mkdtempSync(join(tmpdir(), "magpie-cmaps-"));
try {
  const spec = `pdfjs-dist@${process.argv[2] ?? versionInUnpdf()}`;
  const output = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, spec]);
  execFileSync("tar", ["-xzf", join(folder, output.toString().trim()), "-C", folder]);
  renew(join(folder, "package/cmaps"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function versionInUnpdf(): string {
  const path = join(import.meta.dirname, "../node_modules/unpdf/package.json");
  return JSON.parse(readFileSync(path, "utf8")).devDependencies["pdfjs-dist"];
}

function renew(source: string): void {
  const files = readdirSync(source).filter(name => name.endsWith(".bcmap"));
  const contents = files.toSorted().map(name => readFileSync(join(source, name)));
  const sizes = files.toSorted().map((name, at) => `${name} ${contents[at]?.length}\n`);
  // As reader/pdf/pdf-source.ts unpacks it.
  const packed = brotliCompressSync(Buffer.concat([Buffer.from(`${sizes.join("")}\n`), ...contents]));
  writeFileSync(join(target, "cmaps.bin"), packed);
  cpSync(join(source, "LICENSE"), join(target, "cmaps-licence.txt"));
  console.log(`${files.length} CMaps in ${packed.length} bytes`);
}
