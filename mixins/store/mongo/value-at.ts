/** Undefined where there is no such field. */
export function valueAt(doc: object, path: string): unknown {
  let value: unknown = doc;
  for (const name of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, name)) return undefined;
    value = (value as Record<string, unknown>)[name];
  }
  return value;
}
