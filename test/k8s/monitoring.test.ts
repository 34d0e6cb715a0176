import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { removeFolder } from "../support/folders.ts";
import { alerts, dashboardText, panelsOf, problemsOfDashboard, rulesFile } from "./monitoring.ts";
import { selectorsOf } from "./promql.ts";

const hasPromtool = spawnSync("promtool", ["--version"]).status === 0;
const withPromtool = hasPromtool ? test : test.skip;
const tests = join(import.meta.dirname, "alerts.yaml");

describe("the dashboard", () => {
  test("is well", () => {
    expect(problemsOfDashboard(dashboardText())).toEqual([]);
    expect(panelsOf(dashboardText()).length).toBeGreaterThan(20);
  });

  test.each([
    ["a panel without a unit", /"unit": "ops",?/, "", /"Polls" has no unit/],
    ["a panel without a description", /"description": "Polls by[^\n]*/, "", /"Polls" has no description/],
    ["an expression that is none", "sum by (outcome)", "sum by (outcome", /No PromQL/],
    ["two panels of one number", '"id": 4,', '"id": 3,', /same id/],
    ["text that is no JSON", "{", "", /SyntaxError/],
  ])("%s is a problem", (_name, what: string | RegExp, instead, problem) => {
    const broken = dashboardText().replace(what, instead);
    expect(problemsOfDashboard(broken).join("\n")).toMatch(problem);
  });
});

test("the selectors of an expression are found at any depth", () => {
  const expression =
    'sum by (a) (rate(x_total{a=~"$namespace",b="c\\"d"}[$__rate_interval])) / y > 0 and deriv(z[15m:1m])';
  expect(selectorsOf(expression)).toEqual([
    {
      metric: "x_total",
      matchers: [
        { label: "a", operator: "=~", value: ".*" },
        { label: "b", operator: "=", value: 'c"d' },
      ],
    },
    { metric: "y", matchers: [] },
    { metric: "z", matchers: [] },
  ]);
});

describe("the alerts", () => {
  const guide = readFileSync("docs/operations/monitoring.md", "utf8");

  test.each(alerts().map(rule => [rule.alert, rule] as const))("%s says where to read on", (name, rule) => {
    expect(rule.annotations.runbook).toBe(`docs/operations/monitoring.md#${name.toLowerCase()}`);
    expect(guide).toMatch(new RegExp(`^### ${name}$`, "m"));
  });

  test("the page for operators describes no other", () => {
    const described = [...guide.matchAll(/^### (Magpie\w+)$/gm)].map(([, name]) => name);
    expect(described).toEqual([...new Set(alerts().map(({ alert }) => alert))]);
  });

  test("each fires in one of its unit tests, and is silent in another", () => {
    const cases = (parse(readFileSync(tests, "utf8")) as UnitTests).tests.flatMap(
      each => each.alert_rule_test,
    );
    const names = (isFiring: boolean) =>
      new Set(cases.filter(each => Boolean(each.exp_alerts) === isFiring).map(({ alertname }) => alertname));
    const all = new Set(alerts().map(({ alert }) => alert));
    expect([names(true), names(false)]).toEqual([all, all]);
  });

  withPromtool("Prometheus takes the rules, and they pass their unit tests (needs promtool)", async () => {
    const folder = mkdtempSync(join(tmpdir(), "magpie-rules-"));
    writeFileSync(join(folder, "rules.yaml"), stringify(rulesFile()));
    copyFileSync(tests, join(folder, "alerts.yaml"));
    for (const command of [
      ["check", "rules", "rules.yaml"],
      ["test", "rules", "alerts.yaml"],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", command, { cwd: folder, encoding: "utf8" });
      expect(`${status === 0 ? "" : stdout}${stderr}`).toBe("");
    }
    await removeFolder(folder);
  });
});

interface UnitTests {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[];
}
