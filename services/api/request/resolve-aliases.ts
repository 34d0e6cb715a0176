import { invalid } from "../../contracts/errors.ts";

/** Query parameters; a list where a name came more than once. */
export type QueryValues = Record<string, string | string[]>;

/** Gives parameters their one name; both names at once could contradict each other, hence 400. */
export function resolveAliases(query: QueryValues, aliases: Record<string, string>): QueryValues {
  const entries = Object.entries(query).map(([name, value]) => {
    const own = Object.hasOwn(aliases, name) ? aliases[name] : undefined;
    if (own === undefined) return [name, value];
    if (Object.hasOwn(query, own))
      throw invalid(name, "exactly_one", `Give \`${own}\` or \`${name}\`, not both.`);
    return [own, value];
  });
  return Object.fromEntries(entries);
}
