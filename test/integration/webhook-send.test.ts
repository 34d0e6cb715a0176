import { createEgress, type Egress } from "../../mixins/egress/egress.ts";
import type { Lease } from "../../mixins/lease/lease.ts";
import { send } from "../../services/webhook-dispatcher/engine/send.ts";
import { Tenure } from "../../services/webhook-dispatcher/engine/tenure.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

let receiver: Receiver;
let egress: Egress;
let isHeld: boolean;
let tenure: Tenure;

beforeEach(async () => {
  receiver = await startReceiver();
  egress = createEgress({ allow: ["127.0.0.1/32"] });
  isHeld = true;
  const lease: Lease = {
    name: "lanes/1",
    fence: 1,
    signal: new AbortController().signal,
    isHeld: () => isHeld,
    release: async () => undefined,
  };
  tenure = new Tenure(1, lease);
});
afterEach(async () => {
  await egress.close();
  await receiver.close();
});

const post = () =>
  send(egress.agent(), { url: new URL(receiver.url), headers: { "webhook-id": "1" }, body: "{}" }, tenure);

test("nothing goes out once the lease has passed on, whether or not there is a connection", async () => {
  const cold = post();
  isHeld = false;
  expect(await cold).toMatchObject({ status: null, error: "connection" });
  expect(receiver.received).toHaveLength(0);
  isHeld = true;
  expect(await post()).toMatchObject({ status: 200 });
  isHeld = false;
  expect(await post()).toMatchObject({ status: null, error: "connection" });
  expect(receiver.received).toHaveLength(1);
});

test("what is under way is broken off with the tenure, and what has ended is let be", async () => {
  expect(await post()).toMatchObject({ status: 200 });
  receiver.behave("hang");
  const hanging = [post(), post()];
  await until("they are under way", () => receiver.received.length === 3);
  expect(tenure.isOpen).toBe(true);
  tenure.cut();
  expect(await Promise.all(hanging)).toMatchObject([{ error: "connection" }, { error: "connection" }]);
  expect(tenure.isOpen).toBe(false);
  expect(tenure.isHeld).toBe(true);
});
