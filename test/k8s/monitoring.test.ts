import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { removeFolder } from "../support/folders.ts";
import { withPromtool } from "../support/promtool.ts";
import { problemsOfMetrics } from "./metrics-lint.ts";
import { alerts, dashboardText, panelsOf, problemsOfDashboard, rulesFile } from "./monitoring.ts";
import { selectorsOf } from "./promql.ts";

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

describe("a metric", () => {
  const exposed = (name: string, type: string, sample = `${name} 1`) =>
    `# HELP ${name} What it is\n# TYPE ${name} ${type}\n${sample}\n`;

  test.each([
    exposed("polls_total", "counter", 'polls_total{kind="a",page_type="b{c}"} 1'),
    exposed("disk_free_bytes", "gauge"),
    exposed(
      "poll_seconds",
      "histogram",
      'poll_seconds_bucket{le="+Inf"} 1\npoll_seconds_sum 2\npoll_seconds_count 1',
    ),
  ])("is well: %j", text => {
    expect(problemsOfMetrics(text)).toEqual([]);
  });

  test.each([
    [
      "a counter without _total",
      exposed("polls", "counter"),
      "polls is a counter, and does not end in _total",
    ],
    ["a gauge with _total", exposed("polls_total", "gauge"), "polls_total is a gauge, and ends in _total"],
    ["a name in camelCase", exposed("pollTime_seconds", "gauge"), "pollTime_seconds is not in snake_case"],
    [
      "a label in camelCase",
      exposed("polls_total", "counter", 'polls_total{errorType="a"} 1'),
      "polls_total: errorType is not in snake_case",
    ],
    ["milliseconds", exposed("poll_milliseconds", "gauge"), "poll_milliseconds is not in a base unit"],
    ["a histogram without a unit", exposed("polls", "histogram", "polls_sum 1"), "polls has no unit"],
    ["its type in its name", exposed("polls_gauge", "gauge"), "polls_gauge has its type in its name"],
    ["no HELP", "# TYPE polls_total counter\npolls_total 1\n", "polls_total has no HELP"],
    ["no TYPE", "polls_total 1\n", "polls_total has no TYPE"],
  ])("has a problem: %s", (_name, text, problem) => {
    expect(problemsOfMetrics(text)).toContain(problem);
  });
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

  withPromtool.test(
    "Prometheus takes the rules, and they pass their unit tests (needs promtool)",
    async () => {
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
    },
  );
});

interface UnitTests {
  tests: { alert_rule_test: { alertname: string; exp_alerts?: object[] }[] }[];
}
