import type { EditedSite } from "../edited-site.ts";
import type { Expected } from "./edits.ts";

/** An event of a tracked site, written by hand from the interface. */
export interface SiteEvent {
  type: string;
  seq: number;
  data: {
    source?: { id: string };
    check?: { pages: number; visited: number; failed: number };
    page?: { url: string };
    from?: string;
    to?: string;
    change?: { kind?: string; added: string[]; removed: string[] };
  };
}

/** How events differ from those that were due, in sentences; none where they are the very same, each once. */
export function judgeEvents(
  site: Pick<EditedSite, "at">,
  events: readonly SiteEvent[],
  due: Expected,
): string[] {
  const wanted = countOf([
    ...due.added.map(path => `added ${site.at(path)}`),
    ...due.changed.map(path => `changed ${site.at(path)}`),
    ...due.removed.map(path => `removed ${site.at(path)}`),
    ...due.moved.map(([from, to]) => `moved ${site.at(from)} to ${site.at(to)}`),
    ...Array.from({ length: due.rotating }, () => "rotating"),
    ...due.site.map(({ added, removed }) => `everywhere +${added.join()} -${removed.join()}`),
  ]);
  const told = countOf(events.flatMap(nameOf));
  const missing = [...wanted].filter(([name, count]) => (told.get(name) ?? 0) < count);
  const wrong = [...told].filter(([name, count]) => count > (wanted.get(name) ?? 0));
  return [
    ...missing.map(([name]) => `missing: ${name}`),
    ...wrong.map(([name, count]) => `not due, ${count} times: ${name}`),
  ];
}

function nameOf({ type, data }: SiteEvent): string | string[] {
  const { page, from, to, change } = data;
  if (type === "site.page.moved") return `moved ${from} to ${to}`;
  if (type.startsWith("site.page.")) return `${type.slice("site.page.".length)} ${page?.url}`;
  if (type !== "site.changed" || change === undefined) return [];
  if (change.kind === "rotating") return change.kind;
  return `${change.kind} +${change.added.join()} -${change.removed.join()}`;
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
