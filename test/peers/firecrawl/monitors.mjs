/**
 * Monitors by Firecrawl's client for JavaScript, its command line, and its server for language models, with nothing changed
 * but the address. Prints what they got as JSON. Arguments: the address, an API key, the address of the site.
 */
import { execFile } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { Firecrawl } from "@mendable/firecrawl-js";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";

const [, , apiUrl, apiKey, site] = process.argv;
const firecrawl = new Firecrawl({ apiUrl, apiKey });
const modules = join(import.meta.dirname, "node_modules");

async function ended(read) {
  for (;;) {
    const check = await read();
    if (check.status !== "running") return check;
    await new Promise(resolve => setTimeout(resolve, 500));
  }
}

async function bySdk() {
  const monitor = await firecrawl.createMonitor({
    name: "Lamps",
    schedule: { text: "every 30 minutes", timezone: "UTC" },
    targets: [{ type: "scrape", urls: [`${site}/lamp`, `${site}/desk`] }],
    webhook: { url: `${site}/hook/javascript`, metadata: { by: "javascript" } },
    retentionDays: 7,
  });
  const check = async () => {
    const { id } = await firecrawl.runMonitor(monitor.id);
    return await ended(() => firecrawl.getMonitorCheck(monitor.id, id, { limit: 1 }));
  };
  const first = await check();
  await fetch(`${site}/set?price=25`);
  const second = await check();
  const changed = await firecrawl.getMonitorCheck(monitor.id, second.id, { status: "changed" });
  const checks = await firecrawl.listMonitorChecks(monitor.id);
  const paused = await firecrawl.updateMonitor(monitor.id, { status: "paused" });
  return {
    secret: monitor.webhook.secret,
    cron: monitor.schedule.cron,
    first: { status: first.status, summary: first.summary, pages: first.pages.length },
    second: second.summary,
    changed: changed.pages.map(({ url, status, diff }) => [new URL(url).pathname, status, diff?.text]),
    checks: checks.length,
    paused: [paused.status, (await firecrawl.getMonitor(monitor.id)).nextRunAt],
    listed: (await firecrawl.listMonitors()).map(({ name }) => name),
  };
}

async function byCommandLine() {
  const program = join(modules, "firecrawl-cli/dist/index.js");
  const env = {
    ...process.env,
    HOME: mkdtempSync(join(tmpdir(), "firecrawl-")),
    FIRECRAWL_NO_TELEMETRY: "1",
  };
  const run = async (...args) => {
    const all = [program, "monitor", ...args, "--api-url", apiUrl, "--api-key", apiKey];
    return JSON.parse((await promisify(execFile)(process.execPath, all, { env })).stdout);
  };
  const made = await run("create", "--name", "Desks", "--schedule", "daily at 9am", "--page", `${site}/desk`);
  const { id } = made.data;
  const begun = await run("run", id);
  const check = await ended(async () => (await run("check", id, begun.data.id)).data);
  const changed = await run("update", id, "--state", "paused", "--name", "Other desks");
  return {
    made: [made.data.name, made.data.schedule.cron],
    check: [check.status, check.summary.new],
    checks: (await run("checks", id)).data.length,
    changed: [changed.data.name, changed.data.status],
    removed: await run("delete", id),
  };
}

async function byTools() {
  const program = join(modules, "firecrawl-mcp/dist/index.js");
  const env = { PATH: process.env.PATH, FIRECRAWL_API_URL: apiUrl, FIRECRAWL_API_KEY: apiKey };
  const client = new Client({ name: "peer", version: "1.0.0" });
  await client.connect(new StdioClientTransport({ command: process.execPath, args: [program], env }));
  const ask = async (name, args) => {
    const { content, isError } = await client.callTool({
      name: `firecrawl_monitor_${name}`,
      arguments: args,
    });
    const text = content.map(part => part.text).join("");
    if (isError) throw new Error(text);
    return JSON.parse(text);
  };
  const target = { type: "scrape", urls: [`${site}/desk`] };
  const body = { name: "By tools", schedule: { cron: "0 9 * * *", timezone: "UTC" }, targets: [target] };
  const { id } = (await ask("create", { body })).data;
  const begun = await ask("run", { id });
  const check = await ended(async () => (await ask("check", { id, checkId: begun.data.id })).data);
  const got = {
    check: [check.status, check.summary.new, check.pages[0].status],
    checks: (await ask("checks", { id })).data.length,
    listed: (await ask("list", {})).data.map(({ name }) => name),
    updated: (await ask("update", { id, body: { status: "paused" } })).data.status,
    removed: await ask("delete", { id }),
  };
  await client.close();
  return got;
}

const got = { sdk: await bySdk(), commandLine: await byCommandLine(), tools: await byTools() };
process.stdout.write(JSON.stringify(got));
