import { readFileSync } from "node:fs";
import { join } from "node:path";
import { versions } from "../../../tools/release/version.ts";

const read = (path: string) => readFileSync(join(import.meta.dirname, "../../..", path), "utf8");
const { version } = JSON.parse(read("package.json"));

test("packages, clients, images, chart and document have one version", () => {
  const all = versions();
  for (const file of [
    "package-lock.json",
    "sdk/openapi.json",
    "sdk/python/pyproject.toml",
    "k8s/chart/Chart.yaml",
  ])
    expect(all).toContain(`${file}: ${version}`);
  expect(all.length).toBeGreaterThan(25);
  expect(all.filter(place => !place.endsWith(`: ${version}`))).toEqual([]);
});

describe("the changelog", () => {
  const [, unreleased = "", ...releases] = read("CHANGELOG.md").split(/^## /m);

  test("begins with what is not released, then this version", () => {
    expect(unreleased).toMatch(/^\[Unreleased\]\n/);
    expect(releases[0]).toMatch(
      new RegExp(`^\\[${version.replaceAll(".", "\\.")}\\] - \\d{4}-\\d{2}-\\d{2}\\n`),
    );
    expect(releases[0]).toContain("### What to do\n");
  });

  test("has at most 40 lines for a release", () => {
    for (const release of releases) {
      const lines = release.split("\n").filter(line => line.trim() !== "");
      expect([lines[0], lines.length <= 40]).toEqual([lines[0], true]);
    }
  });
});
