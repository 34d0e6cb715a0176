import { ServiceBroker } from "moleculer";
import { announceCapacity } from "../../mixins/bus/capacity.strategy.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { countScrapes } from "../../services/contracts/overview.contract.ts";
import { crawlPage } from "../../services/contracts/page-reads.contract.ts";
import { startNats, type TestNats } from "../support/nats.ts";
import { until } from "../support/until.ts";
import { busConfig } from "./bus-config.ts";

/** A node with a scraper whose capacity the test sets. */
interface Node {
  broker: ServiceBroker;
  setRoom(capacity: number): void;
}

let nats: TestNats;
let caller: ServiceBroker;
let nodes: Node[];

beforeAll(async () => {
  nats = await startNats();
  caller = brokerOf("caller");
  nodes = ["a", "b"].map(nodeOf);
  await Promise.all([caller, ...nodes.map(({ broker }) => broker)].map(broker => broker.start()));
  await caller.waitForServices("scraper");
  await until(
    "the caller knows both nodes",
    () => caller.registry.nodes.list({ onlyAvailable: true }).length === 3,
  );
});

afterAll(async () => {
  await Promise.all([caller, ...nodes.map(({ broker }) => broker)].map(broker => broker.stop()));
  await nats.stop();
});

test("a call goes to the node that has capacity, whichever is next in turn", async () => {
  for (const [roomy, full] of [nodes, nodes.toReversed()] as [Node, Node][]) {
    roomy.setRoom(1000);
    full.setRoom(0);
    await untilSentTo(roomy, 4);
  }
});

test("calls that were sent since a node announced its capacity are counted there", async () => {
  const [roomy, other] = nodes as [Node, Node];
  roomy.setRoom(10);
  other.setRoom(8);
  await untilSentTo(roomy, 1);
  expect((await answers(crawlPage, 12)).size).toBe(2);
});

test("calls that need no capacity are sent in turn", async () => {
  nodes.forEach((node, at) => {
    node.setRoom(at);
  });
  expect((await answers(countScrapes, 2)).size).toBe(2);
});

/** In turn, two calls or more would never all go to one node. */
async function untilSentTo({ broker: { nodeID } }: Node, calls: number): Promise<void> {
  await until(`all of ${calls} calls go to ${nodeID}`, async () => {
    const sentTo = await answers(crawlPage, calls);
    return sentTo.size === 1 && sentTo.has(nodeID);
  });
}

/** The nodes that so many calls at once were sent to. */
async function answers({ name }: { name: string }, count: number): Promise<Set<unknown>> {
  return new Set(await Promise.all(Array.from({ length: count }, () => caller.call(name))));
}

function brokerOf(nodeID: string): ServiceBroker {
  const options = brokerOptions(busConfig(nats.url));
  return new ServiceBroker({ ...options, nodeID, logger: false, skipProcessEventRegistration: true });
}

function nodeOf(nodeID: string): Node {
  const broker = brokerOf(nodeID);
  const answer = async () => nodeID;
  const verbs = [crawlPage, countScrapes].map(({ name }) => name.replace("scraper.", ""));
  broker.createService({ name: "scraper", actions: Object.fromEntries(verbs.map(verb => [verb, answer])) });
  let capacity = 0;
  const changed = announceCapacity(broker, () => capacity);
  return {
    broker,
    setRoom: now => {
      capacity = now;
      changed();
    },
  };
}
