import { once } from "node:events";
import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { readEvents } from "../../../cli/magpie/event-stream.ts";
import { exitCodes, failureOf } from "../../../cli/magpie/failure.ts";
import { clientAt } from "../../../cli/magpie/server.ts";

type Answer = (response: ServerResponse) => void;

let server: Server;
let asked: string[];
let answers: Answer[];

beforeEach(async () => {
  asked = [];
  server = createServer((request, response) => {
    asked.push(request.url ?? "");
    answers.shift()?.(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
});

afterEach(() => new Promise(resolve => server.close(resolve).closeAllConnections()));

const event = (seq: number) => `id: ${seq}\ndata: ${JSON.stringify({ id: `evt_${seq}`, seq })}\n\n`;
const frame = (type: string, data: object) =>
  `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
const hello = (seq: number) => frame("hello", { seq, oldest_seq: 1 });

/** A stream of these parts, which is cut in the middle of a line. */
const cut =
  (...parts: string[]): Answer =>
  response =>
    response.write(`${parts.join("")}id: 9`, () => response.destroy());
const ended =
  (...parts: string[]): Answer =>
  response =>
    response.end(parts.join(""));
const refused =
  (status: number, body: object): Answer =>
  response =>
    response.writeHead(status).end(JSON.stringify(body));

/** The numbers of the events that are read; `last`: where the reader has enough. */
async function read(
  options: { after?: number; tags?: string[] },
  last = Number.POSITIVE_INFINITY,
): Promise<number[]> {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const enough = new AbortController();
  const seqs: number[] = [];
  const magpie = clientAt({ url, key: "k" });
  for await (const { seq } of readEvents(magpie, { signal: enough.signal, ...options })) {
    seqs.push(seq);
    if (seq === last) enough.abort();
  }
  return seqs;
}

test("a stream that is cut continues after the last event", async () => {
  answers = [cut(hello(0), event(1)), cut(hello(1)), ended(hello(3), event(2), event(3))];
  expect(await read({}, 3)).toEqual([1, 2, 3]);
  expect(asked).toEqual(["/stream/sse", "/stream/sse?after=1", "/stream/sse?after=1"]);
});

test("a stream that is cut before its first event continues where it began", async () => {
  answers = [cut(hello(7)), ended(hello(8), event(8))];
  expect(await read({}, 8)).toEqual([8]);
  expect(asked[1]).toBe("/stream/sse?after=7");
});

test.each<[string, Answer]>([
  ["before the stream", refused(410, { message: "Expired.", oldest_seq: 5 })],
  [
    "within it",
    ended(hello(9), frame("error", { code: "cursor_too_old", message: "Expired.", oldest_seq: 5 })),
  ],
])("events that have expired %s are passed over", async (_, answer) => {
  answers = [answer, ended(hello(6), event(5), event(6))];
  expect(await read({ after: 1 }, 6)).toEqual([5, 6]);
  expect(asked).toEqual(["/stream/sse?after=1", "/stream/sse?after=4"]);
});

test("with a filter, too, a service that does not answer at the start ends the reading", async () => {
  answers = [response => response.destroy(), response => response.destroy()];
  const error = await read({ after: 0, tags: ["shop"] }).catch((thrown: unknown) => thrown);
  expect(failureOf(error)).toMatchObject({ exitCode: exitCodes.unreachable });
  expect(asked).toHaveLength(1);
});

test("a service without room is asked again when a stream was open before", async () => {
  answers = [cut(hello(0)), refused(503, { message: "No room." }), ended(hello(1), event(1))];
  expect(await read({}, 1)).toEqual([1]);
});

test.each<[string, number, Answer[]]>([
  ["a key that is refused", exitCodes.refused, [refused(401, { message: "No." })]],
  ["a service without room at the start", exitCodes.unreachable, [refused(503, { message: "No." })]],
  ["a position ahead of the log", exitCodes.failed, [cut(hello(3)), refused(400, { message: "No." })]],
  [
    "a key that was deleted",
    exitCodes.refused,
    [ended(hello(0), frame("error", { code: "unauthorized", message: "No." }))],
  ],
])("%s ends the reading with exit code %i", async (_, exitCode, first) => {
  answers = first;
  const error = await read({}).then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  expect(failureOf(error)).toMatchObject({ exitCode });
});
