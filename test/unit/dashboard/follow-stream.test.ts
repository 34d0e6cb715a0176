import { followStream, type StreamState } from "../../../dashboard/events/follow-stream.ts";

const bodyOf = (text: string) => new Response(text, { headers: { "content-type": "text/event-stream" } });
/** A refusal, as the client of the API throws it. */
const refused = (status: number, message: string) =>
  Promise.reject(Object.assign(new Error(message), { status }));

/** Follows a stream whose connections have these answers; it ends with the last one. */
async function follow(answers: (() => Response | Promise<Response>)[], heartbeatMs?: number) {
  const end = new AbortController();
  const asked: (number | undefined)[] = [];
  const received: string[] = [];
  const states: StreamState[] = [];
  await followStream({
    open: async (after, signal) => {
      asked.push(after);
      const answer = answers[asked.length - 1];
      if (answer) return await Promise.race([answer(), aborted(signal)]);
      end.abort();
      throw new TypeError("no more answers");
    },
    onMessage: ({ data }) => received.push(data),
    onState: state => states.push(state),
    signal: end.signal,
    firstWaitMs: 1,
    ...(heartbeatMs === undefined ? {} : { heartbeatMs }),
  });
  return {
    asked,
    data: received,
    states: states.map(({ name }) => name),
    last: states.at(-1),
  };
}

const aborted = (signal: AbortSignal) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason));
  });

test("a stream that breaks continues after the last event", async () => {
  const { asked, data } = await follow([
    () => bodyOf("event: hello\ndata: {}\n\nid: 4\ndata: a\n\nid: 5\ndata: b\n\n"),
    () => {
      throw new TypeError("the network is away");
    },
    () => bodyOf("id: 6\ndata: c\n\n"),
  ]);
  expect(asked).toEqual([undefined, 5, 5, 6]);
  expect(data).toEqual(["{}", "a", "b", "c"]);
});

test("an expired position shows a gap, and the stream is live again", async () => {
  const { asked, states } = await follow([
    () => bodyOf("id: 4\ndata: a\n\n"),
    () => refused(410, "Events after this position have expired."),
    () => bodyOf("id: 900\ndata: b\n\n"),
  ]);
  expect(asked).toEqual([undefined, 4, undefined, 900]);
  expect(states).toContain("gap");
});

test.each([401, 403, 404, 400, 410])(
  "a refusal with %i ends the stream with the service's sentence",
  async status => {
    const { asked, last } = await follow([() => refused(status, "No, because of this.")]);
    expect(asked).toEqual([undefined]);
    expect(last).toEqual({ name: "ended", message: "No, because of this." });
  },
);

test.each([429, 500, 503])("an answer of %i is followed by another connection", async status => {
  const { asked } = await follow([() => refused(status, "Later."), () => bodyOf("")]);
  expect(asked.length).toBe(3);
});

test("a stream that is silent for too long is opened again", async () => {
  const { asked, data } = await follow(
    [() => new Promise<Response>(() => undefined), () => bodyOf("data: a\n\n")],
    8,
  );
  expect(asked.length).toBe(3);
  expect(data).toEqual(["a"]);
});

test("an error of the reader of events rejects", async () => {
  const run = followStream({
    open: async () => bodyOf("data: a\n\n"),
    onMessage: () => {
      throw new RangeError("wrong");
    },
    onState: () => undefined,
    signal: new AbortController().signal,
  });
  await expect(run).rejects.toThrow("wrong");
});
