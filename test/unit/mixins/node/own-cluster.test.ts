import { ownCluster } from "../../../../mixins/node/own-cluster.middleware.ts";

type Take = (command: string, packet: object) => Promise<void>;

interface Hooks {
  started(): Promise<void>;
  transitMessageHandler(this: object, next: Take): Take;
}

/** What a node of the cluster `ours` takes from others, and what it says when it refuses to start. */
function node() {
  const taken: string[] = [];
  const refusals: string[] = [];
  const refuse = (error: unknown): never => {
    refusals.push(String(error));
    throw error;
  };
  const { started, transitMessageHandler } = ownCluster(refuse) as unknown as Hooks;
  const broker = { namespace: "magpie", metadata: { cluster: "ours" } };
  const take = transitMessageHandler.call(
    { broker, logger: { warn: () => undefined } },
    async command => void taken.push(command),
  );
  const hear = (command: string, sender: string, cluster?: string) =>
    take(command, { payload: { sender, metadata: { cluster } } });
  return { taken, refusals, started, hear };
}

test("a node that starts is refused where another cluster speaks", async () => {
  const { hear, refusals } = node();
  await hear("INFO", "a", "ours");
  await expect(hear("INFO", "b", "theirs")).rejects.toThrow("CLUSTER_NAMESPACE");
  expect(refusals).toEqual([expect.stringMatching(/another cluster, .* under the name magpie/)]);
});

test("one that runs takes nothing from nodes of another cluster", async () => {
  const { hear, started, taken } = node();
  await started();
  for (const command of ["INFO", "HEARTBEAT", "REQ"]) await hear(command, "b", "theirs");
  expect(taken).toEqual([]);
  await hear("REQ", "a");
  expect(taken).toEqual(["REQ"]);
});

test("a node that tells of no cluster is taken as it comes", async () => {
  const { hear, taken } = node();
  for (const command of ["INFO", "REQ"]) await hear(command, "repl");
  expect(taken).toEqual(["INFO", "REQ"]);
});
