/** `npm run smoke -- --packed`: packs, installs into an empty folder, and runs the command there as its users do. */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, renameSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../support/folders.ts";

const root = join(import.meta.dirname, "../..");
const page = `<!doctype html><title>Harbour</title><main><h1>Boats</h1><p>Seven boats lie in the harbour tonight, and
the eighth is expected with the tide.</p><p id=late></p></main>
<script>late.textContent = 'The eighth has come in, written by a script.'</script>`;

/** Answers whether all of it went well. */
export async function smokePacked(): Promise<boolean> {
  const folder = mkdtempSync(join(tmpdir(), "magpie-packed-"));
  const site = createServer((_, response) => response.setHeader("content-type", "text/html").end(page));
  site.listen(0, "127.0.0.1");
  await once(site, "listening");
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`;
  try {
    const tarball = await showProgress("Packing", async () => pack(folder));
    const home = join(folder, "home");
    mkdirSync(home);
    await showProgress("Installing into an empty folder", async () => install(home, tarball));
    const passed = [await serveAndAsk(home, url, "with the Node of the package")];
    // As if its install script had not run.
    renameSync(join(home, "node_modules/node"), join(home, "node_modules/.node-away"));
    passed.push(await serveAndAsk(home, url, `with ${process.env.SMOKE_NODE ?? process.execPath}`));
    return passed.every(Boolean);
  } finally {
    site.close();
    await removeFolder(folder);
  }
}

function pack(folder: string): string {
  const output = execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: root });
  return join(folder, output.toString().trim().split("\n").at(-1) ?? "");
}

function install(home: string, tarball: string): void {
  execFileSync("npm", ["install", "--silent", "--no-audit", "--no-fund", tarball], {
    cwd: home,
    stdio: "inherit",
  });
}

/** Starts the service in the folder, and reads a page whose text is written by a script. */
async function serveAndAsk(home: string, url: string, how: string): Promise<boolean> {
  const env = {
    ...process.env,
    PORT: "0",
    EGRESS_ALLOW: new URL(url).host,
    LOG_FORMAT: "json",
    DATA_DIR: "",
  };
  const command = [process.env.SMOKE_NODE ?? process.execPath, "node_modules/magpie/bin/magpie.js"] as const;
  const service = spawn(command[0], [command[1], "serve"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const address = await showProgress(`Starting it ${how}`, () => listening(service.stdout));
    // Not synchronous: this process answers for the page.
    const scrape = await promisify(execFile)("npx", ["magpie", "scrape", url], { cwd: home, env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const guide = await fetch(`${address}/guide/scraping`);
    const script = await fetch(`${address}/dashboard/main.ts`);
    return [
      report(`npx magpie scrape, ${how}`, /written by a script/.test(scrape.stdout), scrape.stderr),
      report("guide", guide.status === 200, guide.status),
      report("dashboard", (await script.text()).includes("import "), script.status),
    ].every(Boolean);
  } finally {
    service.kill("SIGTERM");
    await once(service, "exit");
  }
}

async function listening(stdout: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: stdout })) {
    const address = /listens on (\S+),/.exec(line)?.[1];
    if (address) return address;
  }
  throw new Error("the program ended before it listened");
}

function report(name: string, passed: boolean, detail: unknown): boolean {
  console.log(`${passed ? "ok    " : "FAILED"} ${name}${passed ? "" : `: ${JSON.stringify(detail)}`}`);
  return passed;
}
