import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { exposition } from "../../mixins/runtime/metrics.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { publicError } from "../../services/api/response/public-error.ts";
import { call } from "../../services/contracts/action.ts";
import type { CallMeta } from "../../services/contracts/caller.ts";
import {
  done,
  hangsOn,
  hangsOnce,
  noise,
  picture,
  pictures,
  refuses,
  says,
  waits,
  waitsOnce,
} from "../fakes/echo-service.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { until } from "../support/until.ts";
import { busConfig } from "./bus-config.ts";

let nats: TestNats;
let broker: ServiceBroker;
const nodes = new Map<string, ChildProcess>();

beforeAll(async () => {
  nats = await startNats();
  broker = new ServiceBroker({
    ...brokerOptions(busConfig(nats.url)),
    logger: false,
    skipProcessEventRegistration: true,
  });
  await Promise.all([broker.start(), startNode("a"), startNode("b")]);
  await until("both nodes are known", () => known().length === 2);
});

afterAll(async () => {
  await Promise.all([...nodes.keys()].map(killed));
  await broker.stop();
  await nats.stop();
});

test("status and headers come back with the answer, and errors with code, data and message", async () => {
  const root = broker.ContextFactory.create(broker, undefined as never, {}, { meta: {} });
  expect(await call(root, says, { length: 10 })).toEqual({ text: noise(10) });
  expect(root.meta as CallMeta).toMatchObject({
    $statusCode: 202,
    $responseHeaders: { "x-next-cursor": "7" },
  });
  const error = await call(broker, refuses, {}).catch((thrown: unknown) => thrown);
  expect(publicError(error)).toMatchObject({
    status: 429,
    code: "rate_limited",
    message: "Not so fast.",
    extras: { retry_after: 7 },
  });
});

test("bytes come as they were", async () => {
  expect(await call(broker, picture, {})).toEqual(Buffer.of(0, 255, 128));
  const chunks: Buffer[] = [];
  for await (const chunk of await call(broker, pictures, {})) chunks.push(chunk);
  const all = Buffer.concat(chunks);
  expect(all.length).toBe(1_500_003);
  expect([...all.subarray(-4)]).toEqual([7, 0, 255, 128]);
});

test("what NATS would not take in one message arrives; what no message may hold is refused", async () => {
  for (const length of [300_000, 20_000_000]) {
    const { text } = await call(broker, says, { length });
    expect(text === noise(length)).toBe(true);
  }
  const error = await call(broker, says, { length: 70_000_000 }).catch((thrown: unknown) => thrown);
  expect(publicError(error)).toMatchObject({ status: 413, code: "payload_too_large" });
});

test("a call to a node that does not answer in time is refused, and no longer counts as running", async () => {
  const error = await call(broker, waitsOnce, { ms: 1000 }, { timeout: 50 }).catch(
    (thrown: unknown) => thrown,
  );
  expect(publicError(error)).toMatchObject({ status: 503 });
  const lines = (await exposition(broker)).split("\n");
  expect(lines).toContain('moleculer_request_active{action="echo.waitsOnce"} 0');
  expect(lines).toContain(
    'moleculer_request_error_total{action="echo.waitsOnce",error_type="REQUEST_TIMEOUT"} 1',
  );
});

test("a node that is killed costs no repeatable call; others of it are refused at once", async () => {
  const before = await doneBy("a");
  const calledBefore = await callsOf("hangsOn");
  const ten = (work: () => Promise<{ nodeID: string }>) => Array.from({ length: 10 }, work);
  const onA = [{ nodeID: "a" }, { timeout: 60_000 }] as const;
  const pending = Promise.all(ten(() => call(broker, hangsOn, ...onA)));
  const others = Promise.allSettled(ten(() => call(broker, hangsOnce, ...onA)));
  // What it has not begun is no lost call: it is made on the other node.
  await until("half of them are begun there", async () => (await doneBy("a")) - before === 10);
  await killed("a");
  expect(new Set((await pending).map(({ nodeID }) => nodeID))).toEqual(new Set(["b"]));
  const outcomes = await others;
  const refused = outcomes.flatMap(outcome => (outcome.status === "rejected" ? [outcome.reason] : []));
  expect(refused.length).toBe(5);
  for (const reason of refused) expect(publicError(reason)).toMatchObject({ status: 503 });
  // Each counts once, however often it was tried.
  expect((await callsOf("hangsOn")) - calledBefore).toBe(10);
  expect(await Promise.all(Array.from({ length: 10 }, () => call(broker, waitsOnce, { ms: 0 })))).toEqual(
    Array.from({ length: 10 }, () => "b"),
  );
  await startNode("a");
  await until("it is known again", () => known().length === 2);
});

test("a node that stops hands back the repeatable calls that it could not end", async () => {
  const before = await doneBy("a");
  const calls = Array.from({ length: 10 }, () => call(broker, hangsOn, { nodeID: "a" }, { timeout: 60_000 }));
  const pending = Promise.all(calls);
  const begun = async () => (await doneBy("a")) - before;
  await until("half of them are begun there", async () => (await begun()) === 5);
  nodes.get("a")?.kill("SIGTERM");
  const answers = await pending;
  expect(new Set(answers.map(({ nodeID }) => nodeID))).toEqual(new Set(["b"]));
  expect(answers.filter(({ waitMs }) => waitMs > 0 && waitMs < 60_000)).toHaveLength(5);
  await startNode("a");
  await until("it is known again", () => known().length === 2);
});

test("a node that stood still does not carry out what was asked of it meanwhile", async () => {
  const onA = { nodeID: "a" };
  const before = await doneBy("a");
  nodes.get("a")?.kill("SIGSTOP");
  const lost = call(broker, waitsOnce, { ms: 0 }, onA).catch((thrown: unknown) => thrown);
  await until("it is taken for dead", () => known().length === 1);
  expect(publicError(await lost)).toMatchObject({ status: 503 });
  nodes.get("a")?.kill("SIGCONT");
  await until("it is back", () => known().length === 2);
  expect(await doneBy("a")).toBe(before);
  expect(await call(broker, waitsOnce, { ms: 0 }, onA)).toBe("a");
  expect(await doneBy("a")).toBe(before + 1);
});

test("without NATS calls are refused at once, and all is well when it is back", async () => {
  await nats.kill();
  await until("the loss is noticed", () => broker.transit?.tx.connected === false);
  const error = await call(broker, waitsOnce, { ms: 0 }).catch((thrown: unknown) => thrown);
  expect(publicError(error)).toMatchObject({ status: 503, code: "overloaded" });
  // A hint that cannot be sent is no error.
  await broker.broadcast("nobody.hears", {});
  await nats.restart();
  await until("both nodes are back", async () => {
    const answers = await Promise.allSettled([1, 2].map(() => call(broker, waits, { ms: 0 })));
    return new Set(answers.map(answer => answer.status === "fulfilled" && answer.value)).size === 2;
  });
});

test("a loss of the link that is short costs no call", async () => {
  const kill = nats.kill();
  const calls = Promise.all(Array.from({ length: 10 }, () => call(broker, waits, { ms: 0 })));
  await kill;
  await nats.restart();
  expect((await calls).length).toBe(10);
});

async function startNode(id: string): Promise<void> {
  const child = fork(join(import.meta.dirname, "./bus.process.ts"), [nats.url, id], {
    execArgv: ["--no-warnings"],
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  nodes.set(id, child);
  await once(child, "message");
}

/** What a node has begun, as it says itself: while it takes no calls, others answer in its place. */
/** How often this node has called the echo service. */
async function callsOf(verb: string): Promise<number> {
  const lines = (await exposition(broker)).split("\n");
  const line = lines.find(each => each.startsWith(`moleculer_request_total{action="echo.${verb}"}`));
  return Number(line?.split(" ").at(-1) ?? 0);
}

async function doneBy(id: string): Promise<number> {
  let answer = { nodeID: "", count: 0 };
  await until(`${id} answers`, async () => {
    answer = await call(broker, done, {}, { nodeID: id });
    return answer.nodeID === id;
  });
  return answer.count;
}

async function killed(id: string): Promise<void> {
  const child = nodes.get(id);
  nodes.delete(id);
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

/** The nodes on which this one finds the service. */
function known(): string[] {
  return broker.registry.nodes
    .list({ onlyAvailable: true })
    .map(({ id }: { id: string }) => id)
    .filter((id: string) => nodes.has(id));
}
