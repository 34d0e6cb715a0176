import { distance } from "fastest-levenshtein";
import type { ParamsSchema } from "../../contracts/action.ts";
import type { Fields, Rule } from "../../contracts/schema.ts";

/** A field that a client may send: its dotted path, and its last name without case and separators. */
interface KnownField {
  path: string;
  name: string;
}

const byRules = new WeakMap<ParamsSchema, KnownField[]>();

/**
 * The field that a client may have meant by a name that is not known: one of any depth whose name is written otherwise
 * (`onlyMainContent`), one that ends with it (`types` for `event_types`), or one within a slip of the keyboard, those of the
 * place first where it was sent. Undefined when two fields fit as well, or none does.
 */
export function meantField(sent: string, rules: ParamsSchema): string | undefined {
  const fields = byRules.get(rules) ?? known(rules, "");
  byRules.set(rules, fields);
  const place = sent.slice(0, sent.lastIndexOf(".") + 1);
  const name = plain(sent.slice(place.length));
  if (name.length < 3 || name.length > 64) return undefined;
  const here = fields.filter(({ path }) => placeOf(path) === place);
  const slips = Math.min(2, Math.floor(name.length / 3));
  const looks: ((field: KnownField) => boolean)[] = [
    field => field.name === name,
    field => field.name.endsWith(name),
    field => distance(field.name, name) <= slips,
  ];
  for (const among of [here, fields])
    for (const look of looks) {
      const [first, second] = among.filter(look);
      if (first) return second ? undefined : first.path;
    }
  return undefined;
}

function known(rules: ParamsSchema, place: string): KnownField[] {
  return Object.entries(rules).flatMap(([name, rule]) => {
    if (typeof rule === "boolean") return [];
    const path = place + name;
    return [{ path, name: plain(name) }, ...fieldsBelow(rule).flatMap(below => known(below, `${path}.`))];
  });
}

/** Items of lists have no name that a client could send. */
function fieldsBelow(rule: Rule): Fields[] {
  if (rule.type === "object" && rule.props) return [rule.props];
  if (rule.type === "any" && rule.shape) return fieldsBelow(rule.shape);
  return rule.type === "multi" ? rule.rules.flatMap(fieldsBelow) : [];
}

function placeOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}

function plain(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]/g, "");
}
