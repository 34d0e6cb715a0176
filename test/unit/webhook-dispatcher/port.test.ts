import { MessageChannel } from "node:worker_threads";
import { joinsWake, type ToThread } from "../../../services/webhook-dispatcher/threads/messages.ts";
import { type Callable, type Channel, Port } from "../../../services/webhook-dispatcher/threads/port.ts";

type Calls = { echo(value: unknown): Promise<unknown>; make(): Promise<unknown> };
interface Other {
  is: "other";
  text: string;
}

/** Two ends of a way, and what the second has taken that is no question. */
function twoEnds(mine: Callable = {}) {
  const { port1, port2 } = new MessageChannel();
  const [one, two] = [new Port<Other, Calls>(port1), new Port<Other, Calls>(port2)];
  const taken: Other[] = [];
  port1.on("message", (messages: Other[]) => {
    for (const message of messages) one.take(message, {});
  });
  port2.on("message", (messages: Other[]) => {
    for (const message of messages) if (!two.take(message, mine)) taken.push(message);
  });
  return { one, taken, close: () => port1.close() };
}

test("what cannot be copied fails alone, as a question and as an answer", async () => {
  const mine = { echo: async (value: unknown) => value, make: async () => () => undefined };
  const { one, taken, close } = twoEnds(mine as Callable);
  one.post({ is: "other", text: "before" });
  const asked = [one.ask("echo", 1), one.ask("echo", () => undefined), one.ask("make"), one.ask("echo", 2)];
  const [first, question, answer, last] = await Promise.allSettled(asked);
  expect([first, last]).toEqual([
    { status: "fulfilled", value: 1 },
    { status: "fulfilled", value: 2 },
  ]);
  for (const each of [question, answer])
    expect(each).toMatchObject({ status: "rejected", reason: { type: "internal_error" } });
  expect(taken).toEqual([{ is: "other", text: "before" }]);
  close();
});

test("wakes of one turn are one message, and pass no other", () => {
  const posted: unknown[] = [];
  const port = new Port<ToThread, Calls>({ postMessage: all => posted.push(all) } as Channel);
  const post = (message: ToThread) => port.post(message, joinsWake(message));
  post({ is: "wake", keyIds: ["a"] });
  post({ is: "wake", keyIds: ["a", "b"] });
  post({ is: "gain", shards: [1], keyIds: [], withheld: [] });
  post({ is: "wake", keyIds: ["c"] });
  port.flush();
  expect(posted).toEqual([
    [
      { is: "wake", keyIds: ["a", "a", "b"] },
      { is: "gain", shards: [1], keyIds: [], withheld: [] },
      { is: "wake", keyIds: ["c"] },
    ],
  ]);
});
