/** What an option means where it is left out; of all others false, an empty list and an empty object mean nothing. */
const usual: Record<string, unknown> = {
  render: "auto",
  method: "GET",
  content: "page",
  limit: 1000,
  max_depth: 10,
  sitemaps: true,
  judge: true,
};

/** Options without what is the same as leaving it out, so that equal views are equal. */
export function meaningful<Options extends object>(
  options: {
    [Name in keyof Options]?: Options[Name] | null;
  },
): Options {
  const entries = Object.entries(options).filter(([name, value]) => {
    if (value === null || value === undefined) return false;
    if (name in usual) return value !== usual[name];
    if (value === false) return false;
    if (Array.isArray(value)) return value.length > 0;
    return typeof value !== "object" || Object.keys(value).length > 0;
  });
  const written = entries.map(([name, value]) => [name, name === "items" && value === true ? "auto" : value]);
  return Object.fromEntries(written) as Options;
}
