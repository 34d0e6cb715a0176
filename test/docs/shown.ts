/** What a page shows of an answer or of the output of a command, beside what came. */

/** Paths of the shown value that the answer does not have, or has with a value of another type; null is of every type. */
export function missingIn(answer: unknown, shown: unknown, path = "$"): string[] {
  if (shown === null || answer === null) return [];
  if (typeof shown !== "object") return typeof answer === typeof shown ? [] : [path];
  if (typeof answer !== "object") return [path];
  if (Array.isArray(shown)) {
    if (!Array.isArray(answer)) return [path];
    return shown.flatMap((value, n) => {
      // A shortened list: its entries are somewhere among the answer's.
      const found = answer.some(each => missingIn(each, value).length === 0);
      return found ? [] : [`${path}[${n}]`];
    });
  }
  return Object.entries(shown).flatMap(([name, value]) =>
    missingIn((answer as Record<string, unknown>)[name], value, `${path}.${name}`),
  );
}

/** What differs from run to run: ids, times, counts after a time; and `…`, where the page leaves something out. */
const varying =
  /(?<id>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\b(?:evt_)?01[0-9A-HJKMNP-TV-Z]{24}\b)|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z|(?<=Z +)\d+(?= )|…|\s+/g;

/**
 * The first shown line that the output has not, in their order; undefined where it has all. Ids that the page shows are put
 * into `ids` with those of the output, as a reader puts in their own.
 */
export function missingLine(output: string, shown: string, ids: Map<string, string>): string | undefined {
  const lines = output.split("\n");
  for (const line of shown.split("\n").filter(each => each.trim() !== "")) {
    const { pattern, names } = patternOf(line);
    let found: RegExpExecArray | null = null;
    while (found === null) {
      const next = lines.shift();
      if (next === undefined) return line;
      found = pattern.exec(next);
    }
    for (const [n, name] of names.entries()) ids.set(name, found[n + 1] ?? "");
  }
  return undefined;
}

function patternOf(line: string): { pattern: RegExp; names: string[] } {
  const names: string[] = [];
  let pattern = "";
  let at = 0;
  for (const found of line.trim().matchAll(varying)) {
    const { id } = found.groups ?? {};
    pattern += literal(line.trim().slice(at, found.index));
    if (id !== undefined) {
      names.push(id);
      pattern += "(\\S+)";
    } else if (/^\s/.test(found[0])) pattern += "\\s+";
    else pattern += found[0] === "…" ? ".*" : "\\S+";
    at = found.index + found[0].length;
  }
  return { pattern: new RegExp(`^\\s*${pattern}${literal(line.trim().slice(at))}\\s*$`), names };
}

function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
