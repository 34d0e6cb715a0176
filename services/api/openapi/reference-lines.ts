import { Marked } from "marked";
import { escapeHtml } from "../../../reader/text/escape-html.ts";
import { Html } from "../guide/html.ts";

const marked = new Marked({ gfm: true, renderer: { html: ({ text }) => escapeHtml(text) } });

/** A description of the document, which is Markdown, as HTML. */
export function prose(markdown: string): Html {
  return new Html(marked.parse(markdown, { async: false }));
}

/** A request of the reference, to be written as lines of a program. */
export interface ExampleRequest {
  method: string;
  url: string;
  /** The header of the key, and the variable of the environment that has it. */
  key?: [header: string, variable: string];
  body?: unknown;
  /** What curl sends in place of JSON; the other languages have no short line for it. */
  curlBody?: string;
}

/** The request in each language, with the language's name. */
export function requestLines(request: ExampleRequest): [language: string, lines: string][] {
  const { curlBody } = request;
  const others: [string, string][] = [
    ["TypeScript", typescript(request)],
    ["Python", python(request)],
  ];
  return [["curl", curl(request)], ...(curlBody === undefined ? others : [])];
}

function curl({ method, url, key, body, curlBody }: ExampleRequest): string {
  return [
    `curl -sS ${method === "GET" || (method === "POST" && (body ?? curlBody) !== undefined) ? "" : `-X ${method} `}${quoted(url)}`,
    ...(key ? [`-H "${key[0]}: $${key[1]}"`] : []),
    ...(body === undefined
      ? []
      : ["-H 'content-type: application/json'", `-d ${quoted(JSON.stringify(body, null, 2))}`]),
    ...(curlBody === undefined ? [] : [curlBody]),
  ].join(" \\\n  ");
}

/** A single quote ends what a shell takes as it is, so it is written outside. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

function typescript({ method, url, key, body }: ExampleRequest): string {
  const headers = [
    ...(key ? [`"${key[0]}": process.env.${key[1]} ?? ""`] : []),
    ...(body === undefined ? [] : ['"content-type": "application/json"']),
  ];
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: ${JSON.stringify(method)},${headers.length > 0 ? `\n  headers: { ${headers.join(", ")} },` : ""}${
    body === undefined
      ? ""
      : `\n  body: JSON.stringify(${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}),`
  }
});
console.log(await response.json());`;
}

function python({ method, url, key, body }: ExampleRequest): string {
  return `import os
import requests

response = requests.${method.toLowerCase()}(
    ${JSON.stringify(url)},${key ? `\n    headers={"${key[0]}": os.environ["${key[1]}"]},` : ""}${
      body === undefined ? "" : `\n    json=${pythonLiteral(body).replaceAll("\n", "\n    ")},`
    }
)
print(response.json())`;
}

const words: Record<string, string> = { true: "True", false: "False", null: "None" };

/** JSON is Python but for three words; what is between quotes stays. */
function pythonLiteral(value: unknown): string {
  return JSON.stringify(value, null, 4).replace(
    /"(?:[^"\\]|\\.)*"|\b(?:true|false|null)\b/g,
    part => words[part] ?? part,
  );
}
