/** Base units at the end of a name, before `_total` of a counter; what counts things has none. */
const wrongUnits = /_(milliseconds|ms|minutes|hours|days|kilobytes|megabytes|kb|mb|time|percent)(_total)?$/;

/**
 * What `promtool check metrics` would say of an exposition, without promtool, and units that it does not know: the problems
 * as sentences.
 */
export function problemsOfMetrics(text: string): string[] {
  const types = new Map(
    [...text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = "", type = ""]) => [name, type]),
  );
  const helps = new Set([...text.matchAll(/^# HELP (\S+) \S/gm)].map(([, name]) => name));
  const ofNames = [...types].flatMap(([name, type]) => problemsOfName(name, type, helps.has(name)));
  const samples = text.split("\n").filter(line => line !== "" && !line.startsWith("#"));
  return [...new Set([...ofNames, ...samples.flatMap(line => problemsOfSample(line, types))])];
}

function problemsOfName(name: string, type: string, hasHelp: boolean): string[] {
  const isCounter = type === "counter";
  return [
    ...(/^[a-z][a-z0-9]*(_[a-z0-9]+)*$/.test(name) ? [] : [`${name} is not in snake_case`]),
    ...(hasHelp ? [] : [`${name} has no HELP`]),
    ...(["counter", "gauge", "histogram"].includes(type) ? [] : [`${name} has the type ${type}`]),
    ...(isCounter === name.endsWith("_total")
      ? []
      : [`${name} is a ${type}, ${isCounter ? "and does not end" : "and ends"} in _total`]),
    ...(wrongUnits.test(name) ? [`${name} is not in a base unit`] : []),
    ...(type === "histogram" && !/_(seconds|bytes)$/.test(name) ? [`${name} has no unit`] : []),
    ...(new RegExp(`(^|_)${type}(_|$)`).test(name) ? [`${name} has its type in its name`] : []),
  ];
}

function problemsOfSample(line: string, types: Map<string, string>): string[] {
  const [, name = "", labels = "", value = ""] = /^([^{\s]+)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
  const base = types.has(name) ? name : name.replace(/_(bucket|sum|count)$/, "");
  const named = [...labels.matchAll(/([^",=]+)="(?:[^"\\]|\\.)*"/g)].map(([, label = ""]) => label);
  return [
    ...(types.has(base) ? [] : [`${name} has no TYPE`]),
    ...(base !== name && types.get(base) !== "histogram" ? [`${name} is no part of a histogram`] : []),
    ...named
      .filter(label => !/^[a-z]+(_[a-z]+)*$/.test(label))
      .map(label => `${base}: ${label} is not in snake_case`),
    ...(Number.isNaN(Number(value)) ? [`${name} has no number`] : []),
  ];
}
