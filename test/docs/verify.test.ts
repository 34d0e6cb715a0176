import { execFileSync, spawnSync } from "node:child_process";
import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Webhook } from "standardwebhooks";
import { removeFolder } from "../support/folders.ts";
import { needs } from "../support/needs.ts";
import { blocksOf, page } from "./pages.ts";

/** The guide's functions that verify a signature, each run on deliveries that the library of the standard has signed. */

interface Delivery {
  secret: string;
  headers: Record<string, string>;
  body: string;
}

const secret = `whsec_${Buffer.from("0123456789abcdef0123456789abcdef").toString("base64")}`;
const another = `whsec_${Buffer.from("another secret of thirty-two bit").toString("base64")}`;
const body = JSON.stringify({
  id: "evt_1",
  type: "rss.item.created",
  data: { text: 'für 3 €, \\ "quoted"' },
});

const cases: [string, Delivery, boolean][] = [
  ["genuine", signed(), true],
  ["with the signature of a former secret before it", withSignatures(sign(another), sign(secret)), true],
  ["of another secret", { ...signed(), secret: another }, false],
  ["with another body", { ...signed(), body: body.replace("3", "4") }, false],
  ["with another id", withHeader("webhook-id", "evt_2"), false],
  ["without its version", withSignatures(sign(secret).replace("v1,", "v2,")), false],
];
const old = { ...signed(new Date(Date.now() - 600_000)), secret };

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "magpie-verify-"));
});
afterAll(() => removeFolder(folder));

const withProgram = (program: string, ...question: string[]) =>
  needs(spawnSync(program, question).status === 0, `${program}, which runs a function of the guide`);

for (const [language, run, { test }] of [
  ["js", inNode, { test: globalThis.test }],
  ["python", inPython, withProgram("python3", "--version")],
  ["go", inGo, withProgram("go", "version")],
] as const)
  test(`the function in ${language} tells genuine deliveries from others`, async () => {
    const verdicts = await run(snippet(language), [...cases.map(([, delivery]) => delivery), old]);
    expect(verdicts).toEqual([...cases.map(([, , genuine]) => genuine), false]);
  });

const withOpenssl = needs(
  spawnSync("openssl", ["version"]).status === 0,
  "openssl, which the guide's shell function runs",
  {
    isOptional: true,
  },
);

withOpenssl.test("the function in shell tells genuine deliveries from others", () => {
  const verdicts = cases.map(([, delivery]) => {
    const {
      "webhook-id": id = "",
      "webhook-timestamp": time = "",
      "webhook-signature": given = "",
    } = delivery.headers;
    const script = `${snippet("sh")}\nverify "$@"`;
    const { stdout } = spawnSync("sh", ["-c", script, "sh", delivery.secret, id, time, given], {
      input: delivery.body,
      encoding: "utf8",
    });
    return stdout.trim();
  });
  expect(verdicts).toEqual(cases.map(([, , genuine]) => (genuine ? "valid" : "invalid")));
});

async function inNode(text: string, deliveries: Delivery[]): Promise<boolean[]> {
  const program = `${text}
import { readFileSync } from "node:fs";
const deliveries = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(deliveries.map(({ secret, headers, body }) => verify(secret, headers, Buffer.from(body)))));`;
  return verdictsOf(deliveries, "verify.mjs", program, process.execPath);
}

async function inPython(text: string, deliveries: Delivery[]): Promise<boolean[]> {
  const program = `${text}
import json, sys
deliveries = json.loads(sys.stdin.buffer.read())
print(json.dumps([verify(each["secret"], each["headers"], each["body"].encode()) for each in deliveries]))`;
  return verdictsOf(deliveries, "verify.py", program, "python3");
}

async function inGo(text: string, deliveries: Delivery[]): Promise<boolean[]> {
  const program = `package main
import ("crypto/hmac"; "crypto/sha256"; "encoding/base64"; "encoding/json"; "fmt"; "os"; "strconv"; "strings"; "time")
${text.replace("http.Header", "Header")}
// As net/http's, which takes long to compile.
type Header map[string]string
func (header Header) Get(name string) string { return header[name] }
func main() {
	var deliveries []struct { Secret, Body string; Headers map[string]string }
	json.NewDecoder(os.Stdin).Decode(&deliveries)
	verdicts := []bool{}
	for _, each := range deliveries {
		verdicts = append(verdicts, verify(each.Secret, each.Headers, []byte(each.Body)))
	}
	json.NewEncoder(os.Stdout).Encode(verdicts)
}`;
  return verdictsOf(deliveries, "verify.go", program, "go", "run");
}

async function verdictsOf(
  deliveries: Delivery[],
  name: string,
  program: string,
  ...command: string[]
): Promise<boolean[]> {
  const file = join(folder, name);
  await writeFile(file, program);
  const [run = "", ...args] = [...command, file];
  return JSON.parse(execFileSync(run, args, { input: JSON.stringify(deliveries), encoding: "utf8" }));
}

function snippet(language: string): string {
  const found = blocksOf(page("docs/guides/webhooks.md")).find(({ info }) => info === `${language} verify`);
  if (!found) throw new Error(`the guide has no function in ${language}`);
  return found.text;
}

function sign(by: string, at = new Date()): string {
  return new Webhook(by).sign("evt_1", at, body);
}

function signed(at = new Date()): Delivery {
  const headers = {
    "webhook-id": "evt_1",
    "webhook-timestamp": String(Math.floor(at.getTime() / 1000)),
    "webhook-signature": sign(secret, at),
  };
  return { secret, headers, body };
}

function withSignatures(...signatures: string[]): Delivery {
  return withHeader("webhook-signature", signatures.join(" "));
}

function withHeader(name: string, value: string): Delivery {
  const delivery = signed();
  return { ...delivery, headers: { ...delivery.headers, [name]: value } };
}
