import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { jest } from "@jest/globals";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import type { McpSessions } from "../../services/api/mcp/sessions.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { trackerService } from "../../services/tracker/tracker.service.ts";
import { MemoryLog, someEvents } from "../fakes/memory-log.ts";
import { type Magpie, startMagpie } from "../support/magpie.ts";
import { callTool, eras, mcpClient, unfenced } from "../support/mcp-client.ts";
import { startEnv } from "../support/start-args.ts";
import { until } from "../support/until.ts";

const root = join(import.meta.dirname, "../..");
const args = ["--no-warnings", join(root, "bin/magpie.js"), "mcp"];

let log: MemoryLog;
let magpie: Magpie;
let owner: string;
const children: ChildProcess[] = [];

beforeAll(async () => {
  log = new MemoryLog();
  magpie = await startMagpie({}, config => [keysService(config), trackerService(config)], { log });
  const me = await magpie.request("GET", "/internal/keys", { admin: true });
  owner = me.json<{ data: { id: string }[] }>().data[0]?.id ?? "";
});

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

afterAll(() => magpie.stop());

const env = (url = magpie.url, key = magpie.apiKey) =>
  ({ ...startEnv, MAGPIE_URL: url, MAGPIE_API_KEY: key }) as Record<string, string>;

/** The program, with pipes in place of a terminal; its answers by line, and its end. */
function start(of: Record<string, string>) {
  const child = spawn(process.execPath, args, { env: of, cwd: root, stdio: "pipe" });
  children.push(child);
  const lines: string[] = [];
  createInterface({ input: child.stdout }).on("line", line => lines.push(line));
  const exit = once(child, "exit").then(([code]) => code as number);
  return {
    lines,
    exit,
    say: (message: unknown) =>
      child.stdin.write(`${typeof message === "string" ? message : JSON.stringify(message)}\n`),
    end: () => child.stdin.end(),
    answers: async (count: number) => {
      await until(`${count} answers`, () => lines.length >= count || child.exitCode !== null);
      return lines.map(
        line => JSON.parse(line) as { id: unknown; result?: unknown; error?: { message: string } },
      );
    },
  };
}

const listing = { jsonrpc: "2.0", id: 1, method: "tools/list" };
const waiting = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "read_events", arguments: { wait_seconds: 25, after: 0 } },
});

test.each(eras)("the official client of the %s era lists and calls tools", async era => {
  const transport = new StdioClientTransport({ command: process.execPath, args, env: env(), cwd: root });
  const client = await mcpClient(era, transport);
  try {
    const { tools } = await client.listTools();
    expect(tools.map(({ name }) => name)).toContain("scrape");
    await log.append(someEvents(owner, 1, 1));
    const { text } = await callTool(client, "read_events", { after: 0 });
    expect(JSON.parse(unfenced(text).content)).toMatchObject({ seq: 1 });
    const refused = await callTool(client, "read_events", { after: 99 });
    expect(refused).toMatchObject({
      isError: true,
      text: expect.stringMatching(/ahead of the newest event/),
    });
  } finally {
    await client.close();
  }
});

test.each(eras)(
  "the official client of the %s era is told of events, also after the service was restarted",
  async era => {
    const { mcpSessions } = magpie.broker.getLocalService("api") as unknown as { mcpSessions: McpSessions };
    const begun = jest.spyOn(mcpSessions, "begin");
    await log.drop(owner);
    const transport = new StdioClientTransport({ command: process.execPath, args, env: env(), cwd: root });
    const client = await mcpClient(era, transport);
    const told: unknown[] = [];
    client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
      told.push(params._meta?.["magpie/seq"]);
    });
    try {
      if (era === "modern") await client.listen({ resourceSubscriptions: ["magpie://events"] });
      else await client.subscribeResource({ uri: "magpie://events" });
      const { latest } = await log.bounds(owner);
      await log.append(someEvents(owner, latest + 1, 1));
      await until("it is told", () => told.length === 1);
      if (era === "modern") return;
      // A service that was restarted knows no session.
      for (const { value } of begun.mock.results) mcpSessions.finish(owner, value as string);
      await log.append(someEvents(owner, latest + 2, 1));
      await until("it is told of what came meanwhile", () => told.length === 2);
      expect(told).toEqual([latest + 1, latest + 2]);
    } finally {
      begun.mockRestore();
      await client.close();
    }
  },
);

test("every line of its output is a message, and it ends with its input", async () => {
  const program = start(env());
  program.say(listing);
  program.say("no message");
  program.say({ jsonrpc: "2.0", method: "notifications/initialized" });
  program.say({ jsonrpc: "2.0", id: "two", method: "ping" });
  const answers = await program.answers(3);
  expect(answers.map(({ id }) => id).sort()).toEqual([1, null, "two"].sort());
  program.end();
  expect(await program.exit).toBe(0);
  expect(program.lines).toHaveLength(3);
});

test("what is under way when the input ends is given up", async () => {
  await log.drop(owner);
  const program = start(env());
  program.say(waiting(1));
  await until("it waits", () => openReaders() === 1);
  program.end();
  expect(await program.exit).toBe(0);
  await until("nobody waits", () => openReaders() === 0);
  expect(program.lines).toEqual([]);
});

test("a call that is cancelled ends at the service, and has no answer", async () => {
  await log.drop(owner);
  const program = start(env());
  program.say(waiting(7));
  await until("it waits", () => openReaders() === 1);
  program.say({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 7 } });
  await until("nobody waits", () => openReaders() === 0);
  program.say(listing);
  expect((await program.answers(1)).map(({ id }) => id)).toEqual([1]);
});

function openReaders(): number {
  const gateway = magpie.broker.getLocalService("api") as unknown as {
    streams: { context: { registry: { size: number } } };
  };
  return gateway.streams.context.registry.size;
}

test("a refusal of the service is an error in its own words", async () => {
  const program = start(env(magpie.url, "not-a-key-of-this-service"));
  program.say(listing);
  const [answer] = await program.answers(1);
  expect(answer).toMatchObject({
    id: 1,
    error: {
      message: expect.stringMatching(/^unauthorized: A valid API key/),
      data: { code: "unauthorized" },
    },
  });
});

test("a service that is not there is an error that names it", async () => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  server.close();
  const program = start(env(url));
  program.say(listing);
  const [answer] = await program.answers(1);
  expect(answer?.error?.message).toMatch(new RegExp(`^${url}/mcp cannot be reached`));
});
