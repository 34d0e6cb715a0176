/** The parameters of a path that fits a pattern such as `/crawls/:id`; undefined when it does not. */
export function parametersOf(pattern: string, actual: string): Record<string, string> | undefined {
  const parts = pattern.split("/");
  const given = actual.split("/");
  if (parts.length !== given.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [at, part] of parts.entries()) {
    const value = decoded(given[at] ?? "");
    if (part.startsWith(":") && value) parameters[part.slice(1)] = value;
    else if (part !== value) return undefined;
  }
  return parameters;
}

function decoded(part: string): string | undefined {
  try {
    return decodeURIComponent(part);
  } catch {
    return undefined;
  }
}
