import type { Lease } from "../../mixins/coordination/leases/lease.ts";
import { createEgress, type Egress, type EgressSettings, type Refused } from "../../mixins/egress/egress.ts";
import { ShardOwnership } from "../../services/webhook-dispatcher/lanes/shard-ownership.ts";
import { sendBy } from "../../services/webhook-dispatcher/sending/send.ts";
import {
  openSendingThread,
  type SendingOptions,
  type SendingThread,
} from "../../services/webhook-dispatcher/sending/sending-thread.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { startScripted } from "../support/scripted-server.ts";
import { until } from "../support/until.ts";

let receiver: Receiver;
let egress: Egress;
let sending: SendingThread;
let sentHere: number;
let refused: Refused[];
let errors: unknown[];

function open(settings: EgressSettings = egress.settings, options: Partial<SendingOptions> = {}): void {
  const report = (each: Refused) => void refused.push(each);
  const send = sendBy(egress.agent());
  sending = openSendingThread({
    egress: { settings, report },
    here: (...request) => {
      sentHere += 1;
      return send(...request);
    },
    onError: error => errors.push(error),
    many: 1,
    ...options,
  });
}

beforeEach(async () => {
  receiver = await startReceiver();
  egress = createEgress({ allow: ["127.0.0.1/32"] });
  [sentHere, refused, errors] = [0, [], []];
});
afterEach(async () => {
  await sending.close();
  await egress.close();
  await receiver.close();
});

const ownership = () => {
  const [signal, release] = [new AbortController().signal, async () => undefined];
  const lease: Lease = { name: "lanes/1", fence: 1, signal, isHeld: () => true, release };
  return new ShardOwnership(1, lease);
};

const post = (url = `${receiver.url}/hook?of=1`, within = ownership()) =>
  sending.send({ url: new URL(url), headers: { "webhook-id": "évènement 1" }, body: '{"a":"ä"}' }, within);

/** Posts until the thread sends. */
const started = () =>
  until("the thread sends", async () => {
    const before = sentHere;
    await post();
    return sentHere === before;
  });

test("while there is much to send a thread sends it, as it was given, and hands over the answer", async () => {
  open();
  await started();
  receiver.behave({ status: 503, headers: { "retry-after": "7" }, body: "später" });
  expect(await post()).toEqual({
    status: 503,
    error: "status_503",
    retryAfter: "7",
    resetAfter: undefined,
    text: "später",
  });
  for (const each of receiver.received)
    expect(each).toMatchObject({ path: "/hook?of=1", id: "évènement 1", body: '{"a":"ä"}' });
});

test("informational answers are discarded in the thread too, and each request is sent once", async () => {
  const server = await startScripted(() => [["HTTP/1.1 100 Continue\r\n\r\n", "HTTP/1.1 204 Taken\r\n\r\n"]]);
  open();
  await started();
  for (let sent = 1; sent <= 3; sent += 1) {
    expect(await post(server.url.href)).toMatchObject({ status: 204, error: null });
    expect(server.requests()).toBe(sent);
  }
  await server.close();
});

test("few requests start no thread", async () => {
  open(egress.settings, { many: 1_000 });
  await Promise.all(Array.from({ length: 20 }, () => post()));
  expect(sentHere).toBe(20);
});

test("what the guard of the thread refuses is reported here", async () => {
  open();
  await started();
  expect(await post("http://10.0.0.1:8080/")).toMatchObject({ status: null, error: "not_allowed" });
  expect(refused).toEqual([{ host: "10.0.0.1", port: 8080, rules: [expect.any(String)] }]);
});

test("exchanges under way are aborted with the ownership, and their connections close", async () => {
  open();
  await started();
  const [before, theirs, ours] = [receiver.received.length, ownership(), ownership()];
  receiver.behave("hang");
  const aborted = post(receiver.url, theirs);
  await until("it is under way", () => receiver.received.length === before + 1);
  theirs.abortExchanges();
  expect(await aborted).toMatchObject({ status: null, error: "interrupted" });
  await until("the receiver has lost the connection", () => receiver.unanswered() === 0);
  receiver.behave(200);
  expect(await post(receiver.url, ours)).toMatchObject({ status: 200 });
});

test("for an exchange that ends with its thread nobody is to blame", async () => {
  open();
  await started();
  const before = receiver.received.length;
  receiver.behave("hang");
  const lost = post();
  await until("it is under way", () => receiver.received.length === before + 1);
  await sending.close();
  expect(await lost).toMatchObject({ status: null, error: "interrupted", blame: "nobody" });
});

test("a thread without requests ends, and the next many start another", async () => {
  open(egress.settings, { idleMs: 500 });
  await started();
  await until("the thread has ended", () => !sending.isRunning());
  await started();
});

test("where no thread can run, requests are sent all the same", async () => {
  open({ allow: ["nonsense"] });
  await until("the thread has failed", async () => {
    expect(await post()).toMatchObject({ status: 200 });
    return errors.length > 0;
  });
  expect(await post()).toMatchObject({ status: 200 });
  expect(errors).toHaveLength(1);
});
