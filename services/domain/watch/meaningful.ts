/** Options without what is the same as leaving it out, so that equal views are equal. */
export function meaningful<Options extends object>(
  options: {
    [Name in keyof Options]?: Options[Name] | null;
  },
): Options {
  const entries = Object.entries(options).filter(([name, value]) => {
    if (value === null || value === undefined || value === false) return false;
    if (name === "render") return value !== "auto";
    if (name === "content") return value !== "page";
    if (Array.isArray(value)) return value.length > 0;
    return typeof value !== "object" || Object.keys(value).length > 0;
  });
  return Object.fromEntries(entries) as Options;
}
