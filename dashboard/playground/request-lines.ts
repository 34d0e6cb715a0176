/** Writes a request as lines of a program, which read the API key from the environment. */

export const languages = ["curl", "TypeScript", "Python"] as const;
export type Language = (typeof languages)[number];

export interface Post {
  url: string;
  body: Record<string, unknown>;
  /** How long the lines of TypeScript and Python wait for the answer. curl waits without a limit. */
  timeoutMs: number;
}

/** Writes lines that send the request and print the answer when they are pasted. */
export function requestLines(language: Language, post: Post): string {
  return writers[language](post);
}

const writers: Record<Language, (post: Post) => string> = {
  curl: ({ url, body }) =>
    [
      `curl -sS ${shellWord(url)}`,
      '-H "x-api-key: $MAGPIE_API_KEY"',
      "-H 'content-type: application/json'",
      `-d ${shellWord(JSON.stringify(body, null, 2))}`,
    ].join(" \\\n  "),
  TypeScript: ({ url, body, timeoutMs }) => `const response = await fetch(${JSON.stringify(url)}, {
  method: "POST",
  headers: {
    "x-api-key": process.env.MAGPIE_API_KEY ?? "",
    "content-type": "application/json",
  },
  body: JSON.stringify(${literal(body, script, "  ")}),
  signal: AbortSignal.timeout(${timeoutMs}),
});
console.log(await response.json());
`,
  Python: ({ url, body, timeoutMs }) => `import os
import requests

response = requests.post(
    ${JSON.stringify(url)},
    headers={"x-api-key": os.environ["MAGPIE_API_KEY"]},
    json=${literal(body, python, "    ")},
    timeout=${Math.ceil(timeoutMs / 1000)},
)
print(response.json())
`,
};

/** Quotes text for a shell. It changes nothing between single quotes; a single quote itself is written outside of them. */
function shellWord(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

interface Notation {
  step: string;
  words: Record<"true" | "false" | "null", string>;
  name(name: string): string;
}

const script: Notation = {
  step: "  ",
  words: { true: "true", false: "false", null: "null" },
  // `__proto__` without brackets would set the prototype.
  name: name => (name === "__proto__" ? '["__proto__"]' : plainName(name) ? name : JSON.stringify(name)),
};

/** The notation of Python. A JSON string is also a string of Python: both have the same escapes. */
const python: Notation = {
  step: "    ",
  words: { true: "True", false: "False", null: "None" },
  name: name => JSON.stringify(name),
};

function plainName(name: string): boolean {
  return /^[A-Za-z_$][\w$]*$/.test(name);
}

function literal(value: unknown, notation: Notation, indent: string): string {
  if (value === null || typeof value === "boolean") return notation.words[`${value}`];
  if (typeof value !== "object") return JSON.stringify(value);
  const isList = Array.isArray(value);
  const inner = indent + notation.step;
  const entries = isList
    ? value.map(each => literal(each, notation, inner))
    : Object.entries(value).map(
        ([name, each]) => `${notation.name(name)}: ${literal(each, notation, inner)}`,
      );
  const [open, close] = isList ? ["[", "]"] : ["{", "}"];
  if (entries.length === 0) return open + close;
  if (isList && value.every(each => typeof each !== "object")) return `[${entries.join(", ")}]`;
  return `${open}\n${entries.map(entry => `${inner}${entry},\n`).join("")}${indent}${close}`;
}
