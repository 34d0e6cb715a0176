import { readFileSync } from "node:fs";
import { FiltersEngine } from "@ghostery/adblocker";

/** AdGuard's base filter (with EasyList) and its tracking protection, as the dependency numbers them. */
const listIds = [2, 3];

interface Ruleset {
  metadata: { rawFilterList: string };
}

/** Compiles the filter lists that the dependency carries; about a second of CPU, so it is done in a worker thread. */
export function buildAdFilters(): Uint8Array {
  const engine = FiltersEngine.parse(listIds.map(readList).join("\n"), { loadCosmeticFilters: false });
  return engine.serialize();
}

function readList(id: number): string {
  const entry = import.meta.resolve("@adguard/dnr-rulesets");
  const file = new URL(`../filters/declarative/ruleset_${id}/ruleset_${id}.json`, entry);
  const [first] = JSON.parse(readFileSync(file, "utf8")) as [Ruleset];
  return first.metadata.rawFilterList;
}
