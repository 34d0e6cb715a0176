import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import { selectorsOf } from "./promql.ts";

const folder = join(import.meta.dirname, "..", "..", "k8s", "components", "monitoring");

export interface Alert {
  alert: string;
  expr: string;
  annotations: { summary: string; runbook: string };
}

/** The rules as a file of Prometheus. */
export function rulesFile(): { groups: { rules: Alert[] }[] } {
  return parse(readFileSync(join(folder, "rules.yaml"), "utf8")).spec;
}

export function alerts(): Alert[] {
  return rulesFile().groups.flatMap(({ rules }) => rules);
}

export interface Panel {
  id: number;
  type: string;
  title: string;
  description?: string;
  fieldConfig?: { defaults: { unit?: string } };
  targets?: { expr: string }[];
}

export function dashboardText(): string {
  return readFileSync(join(folder, "dashboard.json"), "utf8");
}

/** The panels of a dashboard without the rows above them. */
export function panelsOf(text: string): Panel[] {
  return (JSON.parse(text) as { panels: Panel[] }).panels.filter(({ type }) => type !== "row");
}

/** Everything that rules and dashboard ask of Prometheus. */
export function expressions(): string[] {
  const asked = panelsOf(dashboardText()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  return [...alerts().map(({ expr }) => expr), ...asked];
}

/** What is wrong with a dashboard; a part of `npm run check`. */
export function problemsOfDashboard(text: string): string[] {
  try {
    const panels = panelsOf(text);
    const ids = new Set(panels.map(({ id }) => id));
    return [
      ...panels.flatMap(problemsOfPanel),
      ...(ids.size < panels.length ? ["two panels have the same id"] : []),
    ];
  } catch (error) {
    return [String(error)];
  }
}

function problemsOfPanel({ title, description, fieldConfig, targets = [] }: Panel): string[] {
  return [
    ...(description ? [] : ["has no description"]),
    ...(fieldConfig?.defaults.unit ? [] : ["has no unit"]),
    ...(targets.length > 0 ? [] : ["asks nothing"]),
    ...targets.flatMap(({ expr }) => problemOf(expr)),
  ].map(problem => `the panel "${title}" ${problem}`);
}

function problemOf(expression: string): string[] {
  try {
    selectorsOf(expression);
    return [];
  } catch (error) {
    return [String(error)];
  }
}
