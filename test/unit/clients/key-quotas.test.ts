import { ServiceBroker } from "moleculer";
import { KeyQuotas } from "../../../mixins/clients/quotas.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

let broker: ServiceBroker;
beforeEach(async () => {
  broker = new ServiceBroker({ logger: false, skipProcessEventRegistration: true });
  await broker.start();
});
afterEach(() => broker.stop());

test("it waits for a keys service that starts later", async () => {
  const has = KeyQuotas.through(broker).has("k");
  broker.createService({ name: "keys", actions: { withQuotas: () => ({ ids: ["k"] }) } });
  expect(await has).toBe(true);
});

test("a keys service that does not come is an overload", async () => {
  const wait = broker.waitForServices.bind(broker);
  broker.waitForServices = names => wait(names, 1, 1);
  const asked = Promise.resolve(KeyQuotas.through(broker).has("k"));
  expect(codeOf(await asked.catch(error => error))).toBe("overloaded");
});
