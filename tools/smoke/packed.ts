/**
 * `node tools/smoke/smoke.ts --packed`: packs, installs into an empty folder as its users do, says what that took, and runs the
 * command there: with the machine's own Node, and with SMOKE_NODE or the Node of this process.
 */
import { execFile, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, mkdtempSync, readFileSync, symlinkSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../../test/support/folders.ts";

const root = join(import.meta.dirname, "../..");
const heldMb = 250;
const barSeconds = 30;
const page = `<!doctype html><title>Harbour</title><main><h1>Boats</h1><p>Seven boats lie in the harbour tonight, and
the eighth is expected with the tide.</p><p id=late></p></main>
<script>late.textContent = 'The eighth has come in, written by a script.'</script>`;

/** Without the programs of this repository: npm puts them first. */
const usersPath = (process.env.PATH ?? "")
  .split(delimiter)
  .filter(folder => !folder.includes("node_modules"))
  .join(delimiter);

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
    const passed = [
      measureInstall(folder, home, tarball),
      await serveAndAsk(home, url, usersPath, "the machine's Node"),
    ];
    const chosen = join(folder, "chosen");
    mkdirSync(chosen);
    symlinkSync(process.env.SMOKE_NODE ?? process.execPath, join(chosen, "node"));
    passed.push(
      await serveAndAsk(home, url, [chosen, usersPath].join(delimiter), "the Node that was chosen"),
    );
    console.log(`       ${diskMb(home)} MB after its first starts, with the browser unpacked`);
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

/** What it takes on disk is held. Seconds depend on the machine: those of a package that is a part of it are beside them. */
function measureInstall(folder: string, home: string, tarball: string): boolean {
  const { dependencies } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));
  const browser = "@sparticuz/chromium";
  const beside = install(join(folder, "beside"), `${browser}@${dependencies[browser]}`);
  const seconds = install(home, tarball);
  const mb = diskMb(home);
  const scripts = installScripts(home);
  console.log(
    `       npm install: ${seconds.toFixed(1)} s (bar ${barSeconds} s); of ${browser} alone ${beside.toFixed(1)} s`,
  );
  return [
    report(`${mb} MB after npm install (bar ${heldMb} MB)`, mb <= heldMb, "too large"),
    report("no package has a script that runs at its installation", scripts.length === 0, scripts),
  ].every(Boolean);
}

/** Answers the seconds. */
function install(home: string, spec: string): number {
  mkdirSync(home);
  const start = performance.now();
  execFileSync("npm", ["install", "--no-audit", "--no-fund", "--loglevel=error", spec], {
    cwd: home,
    stdio: "inherit",
    env: { ...process.env, PATH: usersPath },
  });
  return (performance.now() - start) / 1000;
}

function diskMb(folder: string): number {
  return Number.parseInt(execFileSync("du", ["-sm", folder]).toString(), 10);
}

function installScripts(home: string): string[] {
  const manifests = globSync("node_modules/{*,@*/*}/package.json", { cwd: home });
  return manifests.filter(path => {
    const { scripts = {} } = JSON.parse(readFileSync(join(home, path), "utf8"));
    return ["preinstall", "install", "postinstall"].some(name => name in scripts);
  });
}

/** Starts the service in the folder, and reads a page whose text is written by a script. */
async function serveAndAsk(home: string, url: string, path: string, how: string): Promise<boolean> {
  const env = {
    ...process.env,
    PATH: path,
    PORT: "0",
    EGRESS_ALLOW: new URL(url).host,
    LOG_FORMAT: "json",
    DATA_DIR: "",
  };
  const version = execFileSync("node", ["--version"], { env }).toString().trim();
  const service = spawn("npx", ["magpie", "serve"], {
    cwd: home,
    env,
    stdio: ["ignore", "pipe", "inherit"],
    detached: true,
  });
  try {
    const address = await showProgress(`Starting it with ${how}, ${version}`, () =>
      listening(service.stdout),
    );
    // Not synchronous: this process answers for the page.
    const scrape = await promisify(execFile)("npx", ["magpie", "scrape", url], { cwd: home, env }).catch(
      (error: { stdout: string; stderr: string }) => error,
    );
    const guide = await fetch(`${address}/guide/scraping`);
    const script = await fetch(`${address}/dashboard/main.ts`);
    const docs = await fetch(`${address}/docs/web`);
    return [
      report(`npx magpie scrape, with ${how}`, /written by a script/.test(scrape.stdout), scrape.stderr),
      report("guide", guide.status === 200, guide.status),
      report("dashboard", (await script.text()).includes("import "), script.status),
      report("API documentation", docs.status === 200, docs.status),
    ].every(Boolean);
  } finally {
    process.kill(-(service.pid ?? 0), "SIGTERM");
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
