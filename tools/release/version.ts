/** `node tools/release/version.ts 0.3.0`: writes a version wherever one is named. A test holds all of them equal. */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const root = join(import.meta.dirname, "../..");

const ofManifest = /(^ {2}"version": ")([^"]+)/gm;
const ofLock = /(^(?: {2}| {4}"": \{\n(?: {6}.*\n)*? {6})"version": ")([^"]+)/gm;
const ofImage = /(\bmagpie(?:-browser)?:)(\d+\.\d+\.\d+)/g;
const ofTarball = /(\bmagpie(?:-client)?-)(\d+\.\d+\.\d+)(?=\.tgz)/g;

/** Files, and where the version is in them: the second group of the pattern. */
const places: [files: string, ...patterns: RegExp[]][] = [
  ["{,reader/,sdk/typescript/}package.json", ofManifest],
  ["{,sdk/typescript/}package-lock.json", ofLock],
  ["sdk/python/pyproject.toml", /(^version = ")([^"]+)/gm],
  ["sdk/openapi.json", ofManifest],
  ["compose.yaml", ofImage],
  ["k8s/base/*/deployment.yaml", ofImage],
  ["k8s/overlays/production/kustomization.yaml", /(newTag: )(.+)/g],
  ["k8s/image/Dockerfile", ofImage, /(image\.version=")([^"]+)/g],
  ["k8s/chart/Chart.yaml", /(^(?:version|appVersion): )(.+)/gm],
  ["docs/{guides,operations}/*.md", ofImage, ofTarball],
  ["sdk/typescript/README.md", ofTarball],
];

/** Every place where a version is named, as `file: version`. */
export function versions(): string[] {
  return each((file, text, pattern) => [...text.matchAll(pattern)].map(([, , found]) => `${file}: ${found}`));
}

function each<Found>(visit: (file: string, text: string, pattern: RegExp) => Found[]): Found[] {
  return places.flatMap(([files, ...patterns]) =>
    globSync(files, { cwd: root }).flatMap(file =>
      patterns.flatMap(pattern => visit(file, readFileSync(join(root, file), "utf8"), pattern)),
    ),
  );
}

if (import.meta.main) {
  const [version = ""] = process.argv.slice(2);
  if (!/^\d+\.\d+\.\d+$/.test(version)) throw new Error("Name the version, such as 0.3.0.");
  each((file, text, pattern) => {
    writeFileSync(join(root, file), text.replace(pattern, `$1${version}`));
    return [];
  });
}
