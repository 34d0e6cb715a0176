import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { mkdtemp, readFile } from "node:fs/promises";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { removeFolder } from "../support/folders.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { installPeers, peerFolder } from "./install-peers.ts";

/** What the suite found about one sentence of the specification. */
interface Check {
  id: string;
  status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO";
  errorMessage?: string;
}

let magpie: Magpie;
let keyed: Server;
let url: string;

beforeAll(async () => {
  await installPeers();
  magpie = await startMagpie();
  keyed = createServer((incoming, answer) => {
    const { hostname, port } = new URL(magpie.url);
    const headers = { ...incoming.headers, "x-api-key": magpie.apiKey };
    const { method, url: path } = incoming;
    const asked = request({ hostname, port, path, method, headers }, reply =>
      reply.pipe(answer.writeHead(reply.statusCode ?? 500, reply.headers)),
    );
    answer.on("close", () => asked.destroy());
    incoming.pipe(asked.on("error", () => answer.destroy()));
  }).listen(0, "127.0.0.1");
  await new Promise(resolve => keyed.once("listening", resolve));
  url = `http://127.0.0.1:${(keyed.address() as AddressInfo).port}/mcp`;
}, 900_000);

afterAll(async () => {
  keyed?.close();
  await magpie?.stop();
});

/** Runs one scenario of the conformance suite; it sends no key, so it asks through `keyed`. */
async function run(scenario: string, version: string): Promise<Check[]> {
  const folder = await mkdtemp(join(tmpdir(), "magpie-mcp-"));
  try {
    const program = join(peerFolder, "node_modules/@modelcontextprotocol/conformance/dist/index.js");
    const args = [
      program,
      "server",
      "--url",
      url,
      "--scenario",
      scenario,
      "--spec-version",
      version,
      "-o",
      folder,
    ];
    // It ends with 1 when a check fails; the checks say which.
    await promisify(execFile)(process.execPath, args, { timeout: 100_000 }).catch(() => undefined);
    const [file = ""] = globSync("**/checks.json", { cwd: folder });
    return JSON.parse(await readFile(join(folder, file), "utf8")) as Check[];
  } finally {
    await removeFolder(folder);
  }
}

/** They need tools, prompts or resources of the suite's own example server. */
const notOfTools = [
  "sep-2575-server-rejects-undeclared-capability",
  "sep-2575-missing-capability-http-400",
  "sep-2575-http-server-no-independent-requests-on-stream",
  "sep-2575-server-no-log-without-loglevel",
  "sep-2549-prompts-list-caching-hints",
  "sep-2549-resources-list-caching-hints",
  "sep-2549-resources-templates-list-caching-hints",
];
/** Subscriptions are refused, since the tools do not change (docs/decisions/0131-tools-for-language-models.md). */
const subscriptions = ["sep-2575-server-sends-subscription-ack", "sep-2575-server-tags-subscription-id"];

test.each([
  ["server-initialize", "2025-06-18"],
  ["server-initialize", "2025-11-25"],
  ["ping", "2025-06-18"],
  ["ping", "2025-11-25"],
  ["tools-list", "2025-06-18"],
  ["tools-list", "2025-11-25"],
  ["tools-list", "2026-07-28"],
  ["dns-rebinding-protection", "2025-11-25"],
  ["dns-rebinding-protection", "2026-07-28"],
  ["server-stateless", "2026-07-28"],
  ["http-header-validation", "2026-07-28"],
  ["caching", "2026-07-28"],
])(
  "%s of %s",
  async (scenario, version) => {
    const checks = await run(scenario, version);
    expect(checks.filter(({ status }) => status === "SUCCESS")).not.toEqual([]);
    const expected = [...notOfTools, ...subscriptions];
    const failed = checks.filter(({ id, status }) => status === "FAILURE" && !expected.includes(id));
    expect(failed).toEqual([]);
  },
  120_000,
);
