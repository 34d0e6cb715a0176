import { type Service, ServiceBroker } from "moleculer";
import { stopInOrder } from "../../../mixins/runtime/graceful-stop.middleware.ts";

function brokerOf(stopped: (this: Service) => Promise<void>, ends: number[]): ServiceBroker {
  const broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    middlewares: [stopInOrder(1000, code => void ends.push(code))],
  });
  broker.createService({ name: "slow", stopped });
  return broker;
}

test("a service that never stops does not keep the process beyond the deadline", async () => {
  const ends: number[] = [];
  const broker = brokerOf(() => new Promise(() => undefined), ends);
  await broker.start();
  await broker.stop();
  expect(ends).toEqual([1]);
});

test("a stop within its deadline ends by itself", async () => {
  const ends: number[] = [];
  const broker = brokerOf(() => Promise.resolve(), ends);
  await broker.start();
  await broker.stop();
  expect(ends).toEqual([]);
});
