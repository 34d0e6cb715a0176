import { inspect } from "node:util";
import {
  AbortError,
  ClientClosedError,
  ClientOfflineError,
  ConnectionTimeoutError,
  SocketClosedUnexpectedlyError,
  SocketTimeoutError,
  TimeoutError,
} from "redis";
import { mapRedisErrors, NoAnswer, throttleErrors } from "../../../mixins/cluster/redis-errors.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const outcome = (error: unknown) => mapRedisErrors(Promise.reject(error)).catch((thrown: unknown) => thrown);
const command = { name: "eval", args: ["script", "what a user sent"] };

test.each([
  ["a refused connection", Object.assign(new Error("connect"), { code: "ECONNREFUSED" })],
  ["a name that is not found", Object.assign(new Error("getaddrinfo"), { code: "EAI_AGAIN" })],
  ["a connection that has ended", new Error("Connection is closed.")],
  ["no answer", new Error("Command timed out")],
  ["no connection for too long", new Error("Reached the max retries per request limit (which is 10).")],
  ["a batch that was cut", Object.assign(new Error("Command aborted due to connection close"), { command })],
  ["a server that is starting", new Error("LOADING Redis is loading the dataset in memory")],
  ["one that is out of space", new Error("OOM command not allowed when used memory > 'maxmemory'.")],
  [
    "one that finds so in a script, as Redis 6.2 reports it",
    new Error(
      "ERR Error running script (call to f_1): @user_script:1: @user_script: 1: -OOM command not allowed",
    ),
  ],
  ["one that cannot write to its disk", new Error("MISCONF Errors writing to the AOF file: No space left")],
  ["a connection that node-redis has lost", new SocketClosedUnexpectedlyError()],
  ["one that it could not make in time", new ConnectionTimeoutError()],
  ["one that has fallen silent", new SocketTimeoutError(15_000)],
  ["one that it has closed", new ClientClosedError()],
  ["one that is not there", new ClientOfflineError()],
  ["a command that it has given up", new AbortError()],
  ["one that has waited too long for a connection", new TimeoutError("no connection in time")],
  ["a reply that does not come", new NoAnswer()],
  ["an error of a socket", Object.assign(new Error("connect"), { syscall: "connect" })],
  ["one that was replaced", Object.assign(new Error("READONLY You can't write"), { command })],
])("%s is reported as overloaded, with its cause", async (_, error) => {
  const thrown = await outcome(error);
  expect(codeOf(thrown)).toBe("overloaded");
  expect((thrown as Error).cause).toBe(error);
  expect((thrown as Error).message).not.toContain(error.message);
  expect(inspect(thrown, { depth: 9 })).not.toContain("what a user sent");
});

test.each([
  ["an error in a script", Object.assign(new Error("ERR user_script:1: nil"), { command })],
  ["a wrong type", new Error("WRONGTYPE Operation against a key")],
  ["what is no error at all", "Connection was never closed"],
])("%s is reported as it is, without what was sent", async (_, error) => {
  expect(await outcome(error)).toBe(error);
  expect(inspect(error)).not.toContain("what a user sent");
});

test("an answer is passed on", async () => {
  expect(await mapRedisErrors(Promise.resolve(7))).toBe(7);
});

test("an error is passed on once in a while, another at once, and none with what was sent", () => {
  const passed: unknown[] = [];
  const report = throttleErrors(error => passed.push(error));
  const [first, second] = [new Error("gone"), new Error("away")];
  for (const error of [first, first, second, second, first]) report(Object.assign(error, { command }));
  expect(passed).toEqual([first, second, first]);
  expect(inspect(passed)).not.toContain("what a user sent");
});
