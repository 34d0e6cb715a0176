import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { requestLines } from "../../../dashboard/playground/request-lines.ts";
import { needs } from "../../support/needs.ts";

const url = "http://127.0.0.1:3000/web/scrape";
const bodies: [string, Record<string, unknown>][] = [
  ["a plain page", { url: "https://example.com" }],
  ["all kinds of value", { a: [1, "b", true, null, [], {}], c: { d: false, e: 1.5e-7 }, f: [{ g: [[]] }] }],
  ["quotes", { url: `'"\`$(id) $HOME \\ ' '' !! %s {a}` }],
  ["lines and control characters", { text: "a\nb\r\nc\td\0\u0007\u2028\u2029\u0085" }],
  ["other scripts", { text: "Grüße 鵲 🐦 \u202e" }],
  ["names", { "a-b": 1, class: 2, __proto__x: 3, "it's": 4, "": 5, "1": 6 }],
  ["the name of the prototype", JSON.parse('{"a":{"__proto__":{"b":1},"constructor":2}}')],
];

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "magpie-lines-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

test.each(bodies)("a shell sends %s", (_name, body) => {
  // A stand-in for curl, which shows its arguments.
  const curl = `curl() { ${JSON.stringify(process.execPath)} -p 'JSON.stringify(process.argv.slice(1))' -- "$@"; }\n`;
  const lines = requestLines("curl", { url, body, timeoutMs: 45_000 });
  const output = execFileSync("sh", ["-c", curl + lines], {
    encoding: "utf8",
    env: { ...process.env, MAGPIE_API_KEY: 'mk_"quoted key' },
  });
  const words: string[] = JSON.parse(output);
  expect(words.slice(0, -1)).toEqual([
    "-sS",
    url,
    "-H",
    'x-api-key: mk_"quoted key',
    "-H",
    "content-type: application/json",
    "-d",
  ]);
  expect(JSON.parse(words.at(-1) ?? "")).toEqual(body);
});

test.each(bodies)("TypeScript sends %s", async (_name, body) => {
  const lines = requestLines("TypeScript", { url, body, timeoutMs: 45_000 });
  const sent: [string, RequestInit][] = [];
  const fetch = async (...request: [string, RequestInit]) => {
    sent.push(request);
    return { json: async () => "the answer" };
  };
  const printed: unknown[] = [];
  const console = { log: (text: unknown) => printed.push(text) };
  const process = { env: { MAGPIE_API_KEY: "mk_key" } };
  const program = `return (async () => {${stripTypeScriptTypes(lines.replaceAll("await ", "await "))}})()`;
  await new Function("fetch", "console", "process", program)(fetch, console, process);
  expect(sent[0]?.[0]).toBe(url);
  expect(sent[0]?.[1]).toMatchObject({ method: "POST", headers: { "x-api-key": "mk_key" } });
  expect(JSON.parse(String(sent[0]?.[1].body))).toEqual(body);
  expect(printed).toEqual(["the answer"]);
});

const withPython = needs(
  spawnSync("python3", ["--version"]).status === 0,
  "python3, which runs lines of the playground",
);

withPython.test.each(bodies)("Python sends %s", (_name, body) => {
  // A stand-in for the library, which shows what it is called with.
  writeFileSync(
    join(folder, "requests.py"),
    "import json\nclass Answer:\n  def __init__(self, sent): self.sent = sent\n  def json(self): return json.dumps(self.sent)\n" +
      "def post(url, **options): return Answer({'url': url, **options})\n",
  );
  const program = join(folder, "program.py");
  writeFileSync(program, requestLines("Python", { url, body, timeoutMs: 45_000 }));
  const output = execFileSync("python3", [program], {
    encoding: "utf8",
    env: { ...process.env, MAGPIE_API_KEY: "mk_key", PYTHONIOENCODING: "utf8", PYTHONPATH: folder },
  });
  expect(JSON.parse(output)).toEqual({ url, headers: { "x-api-key": "mk_key" }, json: body, timeout: 45 });
});
