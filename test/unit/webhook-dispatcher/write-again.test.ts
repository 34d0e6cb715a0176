import { deliver } from "../../../services/webhook-dispatcher/lanes/deliver.ts";
import { ShardOwnership } from "../../../services/webhook-dispatcher/lanes/shard-ownership.ts";
import { sendBy } from "../../../services/webhook-dispatcher/sending/send.ts";
import { noDestinations } from "../../support/no-destinations.ts";
import { until } from "../../support/until.ts";
import { endpoint, type LaneFixture, lease, openLane } from "./one-lane.ts";

const full = new Error("database or disk is full");
let fixture: LaneFixture;
let stop: AbortController;
let troubles: unknown[];
let isThere: boolean;

beforeEach(async () => {
  fixture = await openLane();
  [stop, troubles, isThere] = [new AbortController(), [], true];
  fixture.disk.fault = full;
});
afterEach(async () => {
  await fixture.close();
});

const delivered = (ownership = new ShardOwnership(0, lease)) =>
  deliver(
    contextOf(fixture),
    {
      target: { laneId: "k", url: new URL(endpoint.url), inBatches: false, signingKeys: [] },
      ownership,
      attempt: { events: [{ seq: 1, conversation: null }], missEpoch: 0, epoch: 0, revision: 0 },
      outgoing: [
        {
          id: "evt_1",
          seq: 1,
          conversation: null,
          type: "webhook.test",
          timestamp: "",
          body: "{}",
        },
      ],
      passOver: lane => lane,
      isCurrent: () => isThere,
      onAnswer: () => undefined,
      patienceMs: () => 20,
    },
    [1, 1],
  );

const contextOf = ({ agent, journal }: LaneFixture) => ({
  ...{
    send: sendBy(agent),
    mail: undefined,
    destinations: noDestinations,
    journal,
    schedule: [20, 20, 20, 20],
  },
  expressions: { transform: async () => ({ problem: "There is none." }) },
  onStoreError: (_: string[], error: unknown) => void troubles.push(error),
  signal: stop.signal,
});

test("what was taken is written when the disk has room again, however late, and is not sent a second time", async () => {
  const delivering = delivered();
  await until("more tries were made than there are pauses", () => fixture.disk.refused > 6);
  fixture.disk.fault = undefined;
  expect((await delivering)?.attempts[0]).toMatchObject({ event_id: "evt_1", outcome: "succeeded" });
  expect(await fixture.stored()).toMatchObject({ position: 1 });
  expect(fixture.sent).toEqual(["evt_1"]);
  expect(troubles).toEqual([full]);
});

test.each([
  ["the process", () => stop.abort()],
  ["the ownership", (ownership: ShardOwnership) => ownership.end()],
])("the end of %s does not wait until the disk has room", async (_, end) => {
  const ownership = new ShardOwnership(0, lease);
  const delivering = delivered(ownership);
  await until("a try was made", () => fixture.disk.refused > 0);
  end(ownership);
  await expect(delivering).rejects.toBe(full);
});

test("an outcome that has no consequence any more is not written again", async () => {
  const delivering = delivered();
  await until("a try was made", () => fixture.disk.refused > 0);
  isThere = false;
  expect(await delivering).toBeNull();
});
