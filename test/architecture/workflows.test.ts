import { spawnSync } from "node:child_process";
import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { actionlint, builtByGo } from "../support/go-program.ts";
import { needs } from "../support/needs.ts";

const root = join(import.meta.dirname, "../..");
const files = globSync(".github/workflows/*.yml", { cwd: root });
const read = (file: string) => readFileSync(join(root, file), "utf8");
const program = await builtByGo(actionlint);
const withActionlint = needs(program !== null, "Go, which builds actionlint");

interface Job {
  permissions?: Record<string, string>;
  steps: { uses?: string; run?: string }[];
}

interface Workflow {
  permissions: Record<string, string>;
  jobs: Record<string, Job>;
}

const workflows = files.map(file => [file, parse(read(file)) as Workflow] as const);

test("there are workflows for changes, releases, a cluster and its upgrade", () => {
  const names = ["ci.yml", "kind.yml", "release.yml", "upgrade.yml"];
  expect(files.map(file => file.split("/").at(-1)).toSorted()).toEqual(names);
});

withActionlint.test("actionlint finds nothing in them", () => {
  const { status, stdout } = spawnSync(program ?? "", ["-no-color", ...files], {
    cwd: root,
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([0, ""]);
});

withActionlint.test("and finds what is wrong in one", () => {
  const wrong = read(".github/workflows/ci.yml").replace("runs-on:", "run-on:");
  const { status } = spawnSync(program ?? "", ["-"], { cwd: root, input: wrong });
  expect(status).toBe(1);
});

describe.each(workflows)("%s", (_file, { permissions, jobs }) => {
  const steps = Object.values(jobs).flatMap(job => job.steps);

  test("may read, and write only what a job names", () => {
    expect(permissions).toEqual({ contents: "read" });
    const written = Object.values(jobs).flatMap(job => Object.entries(job.permissions ?? {}));
    expect(written.filter(([, access]) => !/^(read|write)$/.test(access))).toEqual([]);
  });

  test("uses actions of a named version", () => {
    const used = steps.flatMap(({ uses }) => uses ?? []);
    expect(used.length).toBeGreaterThan(1);
    expect(used.filter(name => !/@(v\d+|[0-9a-f]{40}|release\/v\d+)$/.test(name))).toEqual([]);
  });

  test("calls programs of the tree, by one line each", () => {
    const { scripts } = JSON.parse(read("package.json"));
    for (const { run } of steps) {
      if (run === undefined) continue;
      expect(run.trim().split("\n")).toHaveLength(1);
      for (const [, tool = ""] of run.matchAll(/\b((?:tools|test)\/\S+\.ts)/g))
        expect([tool, existsSync(join(root, tool))]).toEqual([tool, true]);
      const [, script] = /npm run (\S+)/.exec(run) ?? [];
      if (script) expect(Object.keys(scripts)).toContain(script);
    }
  });
});

test("forms of issues are forms", () => {
  for (const file of ["bug", "wish"]) {
    const { name, body } = parse(read(`.github/ISSUE_TEMPLATE/${file}.yml`));
    expect(name).toMatch(/^Something /);
    for (const { id, type } of body)
      expect([typeof id, type]).toEqual(["string", expect.stringMatching(/^(textarea|input|dropdown)$/)]);
  }
});
