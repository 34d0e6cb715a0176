import { refuseOtherClusters } from "../../../mixins/cluster/cluster-node.middleware.ts";

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
  const { started, transitMessageHandler } = refuseOtherClusters(refuse) as unknown as Hooks;
  const broker = { namespace: "magpie", metadata: { cluster: "ours" } };
  const take = transitMessageHandler.call(
    { broker, logger: { warn: () => undefined } },
    async command => void taken.push(command),
  );
  const receive = (command: string, sender: string, cluster?: string) =>
    take(command, { payload: { sender, metadata: { cluster } } });
  return { taken, refusals, started, receive };
}

test("a node that starts is refused where another cluster speaks", async () => {
  const { receive, refusals } = node();
  await receive("INFO", "a", "ours");
  await expect(receive("INFO", "b", "theirs")).rejects.toThrow("CLUSTER_NAMESPACE");
  expect(refusals).toEqual([expect.stringMatching(/another cluster, .* under the name magpie/)]);
});

test("one that runs takes nothing from nodes of another cluster", async () => {
  const { receive, started, taken } = node();
  await started();
  for (const command of ["INFO", "HEARTBEAT", "REQ"]) await receive(command, "b", "theirs");
  expect(taken).toEqual([]);
  await receive("REQ", "a");
  expect(taken).toEqual(["REQ"]);
});

test("a node without a cluster's identity is accepted", async () => {
  const { receive, taken } = node();
  for (const command of ["INFO", "REQ"]) await receive(command, "repl");
  expect(taken).toEqual(["INFO", "REQ"]);
});
