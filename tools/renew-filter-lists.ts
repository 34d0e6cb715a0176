/**
 * `npm exec -- node tools/renew-filter-lists.ts [version]`: writes services/scraper/render/filter-lists/ anew, from that
 * version of @adguard/dnr-rulesets, by default the newest. The package is 70 MB large and needs ten others for a tool
 * that makes its lists, so the repository has only two of its texts and its licence.
 */
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const source = "@adguard/dnr-rulesets";
/** The numbers that the package gives its lists, and the names of our files. */
const rulesets: [number, string][] = [
  [2, "base"],
  [3, "tracking-protection"],
];
const target = join(import.meta.dirname, "../services/scraper/render/filter-lists");

const folder = mkdtempSync(join(tmpdir(), "magpie-filter-lists-"));
try {
  const spec = `${source}@${process.argv[2] ?? "latest"}`;
  const output = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder, spec]);
  execFileSync("tar", ["-xzf", join(folder, output.toString().trim()), "-C", folder]);
  renew(join(folder, "package"));
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function renew(packageFolder: string): void {
  const { version, license } = JSON.parse(readFileSync(join(packageFolder, "package.json"), "utf8"));
  const lists = rulesets.map(([number, name]) => writeList(packageFolder, number, `${name}.txt.gz`));
  cpSync(join(packageFolder, "LICENSE"), join(target, "LICENSE"));
  writeFileSync(
    join(target, "lists.json"),
    `${JSON.stringify({ source, version, license, lists }, null, 2)}\n`,
  );
  console.log(lists.map(({ title, version }) => `${title} ${version}`).join("\n"));
}

/** A ruleset has each rule as a declaration for an extension of a browser, and all of them as the list's own text. */
function writeList(packageFolder: string, number: number, file: string) {
  const name = `ruleset_${number}`;
  const path = join(packageFolder, "dist/filters/declarative", name, `${name}.json`);
  const [{ metadata }] = JSON.parse(readFileSync(path, "utf8"));
  const text: string = metadata.rawFilterList;
  writeFileSync(join(target, file), gzipSync(text, { level: 9 }));
  const header = (field: string) => new RegExp(`^! ${field}: (.+)$`, "m").exec(text)?.[1] ?? "unknown";
  return { file, title: header("Title"), version: header("Version"), updated: header("TimeUpdated") };
}
