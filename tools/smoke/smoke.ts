/**
 * `node tools/smoke/smoke.ts`: starts the program as a user does, asks it for the main things, and says what came of each. With
 * `--packed`: the package that `npm pack` makes, in an empty folder. SMOKE_NODE names another Node to run it with.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../../test/support/folders.ts";
import { smokePacked } from "./packed.ts";

if (process.argv.includes("--packed")) process.exit((await smokePacked()) ? 0 : 1);

const page = `<!doctype html><title>Harbour</title><main><h1>Boats</h1><p>Seven boats lie in the harbour tonight, and the
eighth is expected with the tide.</p><p id=late></p></main>`;
const script = "<script>late.textContent = 'The eighth has come in, written by a script.'</script>";

const site = createServer((request, response) => {
  response.setHeader("content-type", "text/html");
  response.end(request.url === "/script" ? page + script : page);
}).listen(0, "127.0.0.1");
await once(site, "listening");
const siteUrl = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

const dataDir = mkdtempSync(join(tmpdir(), "magpie-smoke-"));
const program = spawn("npm", ["start"], {
  env: { ...process.env, PORT: "0", DATA_DIR: dataDir, EGRESS_ALLOW: siteUrl.slice(7), LOG_FORMAT: "json" },
  stdio: ["ignore", "pipe", "inherit"],
  detached: true,
});

let failures = 0;
try {
  const url = await showProgress("Starting the service", listening);
  const { bootstrapApiKey: key } = JSON.parse(readFileSync(join(dataDir, "credentials.json"), "utf8"));
  const ask = async (path: string, body?: unknown) => {
    const headers = { "x-api-key": key, "content-type": "application/json" };
    const response = await fetch(url + path, {
      headers,
      ...(body !== undefined && { method: "POST", body: JSON.stringify(body) }),
    });
    const json = response.headers.get("content-type")?.includes("json");
    return { status: response.status, body: json ? await response.json() : await response.arrayBuffer() };
  };

  const ready = await ask("/health/ready");
  report("ready", ready.status === 200, JSON.stringify(ready.body.missing));
  const plain = await ask("/web/scrape", { url: `${siteUrl}/` });
  report(
    "plain page",
    /Seven boats/.test(plain.body.data?.markdown) && plain.body.data.metadata.engine === "http",
    plain.body,
  );
  const rendered = await ask("/web/scrape", {
    url: `${siteUrl}/script`,
    output: { formats: ["markdown", "screenshot"] },
  });
  report("page with a script", /written by a script/.test(rendered.body.data?.markdown), rendered.body);
  const picture = await ask(`/web/screenshot/${rendered.body.data?.screenshot}`);
  report(
    "screenshot",
    picture.status === 200 && Buffer.from(picture.body).subarray(1, 4).toString() === "PNG",
    picture.status,
  );
  const inside = await ask("/web/scrape", { url: "http://169.254.169.254/latest/meta-data/" });
  report("no way in", inside.body.code === "url_not_allowed", inside.body);
  const keys = await ask("/users/me/api-keys");
  report("own keys", keys.body.data?.apiKeys.length === 1, keys.body);
  const document = await ask("/openapi.json");
  report("OpenAPI", document.body.openapi === "3.1.0", document.status);
} finally {
  process.kill(-(program.pid ?? 0), "SIGTERM");
  await once(program, "exit");
  site.close();
  await removeFolder(dataDir);
}
process.exit(failures === 0 ? 0 : 1);

async function listening(): Promise<string> {
  for await (const line of createInterface({ input: program.stdout })) {
    const address = /listens on (\S+),/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error("the program ended before it listened");
}

function report(name: string, passed: boolean, detail: unknown): void {
  if (!passed) failures += 1;
  console.log(`${passed ? "ok    " : "FAILED"} ${name}${passed ? "" : `: ${JSON.stringify(detail)}`}`);
}
