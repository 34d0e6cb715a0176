import { BrowserUnavailable } from "../../../mixins/browser/browser-process.ts";
import type { LeaseSpec, Session } from "../../../mixins/browser/session.ts";
import { SessionCluster } from "../../../mixins/browser/session-cluster.ts";

const needOf = (tenant: string, signal = new AbortController().signal) => ({
  spec: { tenant, skipTlsVerification: false },
  signal,
});

/** Sessions without browsers; the first leases fail with the given errors. */
function fakeSessions(failures: Error[] = []) {
  const leased: string[] = [];
  const returned: string[] = [];
  let repairs = 0;
  const sessions = {
    lease: async ({ tenant }: LeaseSpec) => {
      leased.push(tenant);
      const failure = failures.shift();
      if (failure) throw failure;
      return { specKey: tenant, ended: new AbortController().signal } as Session;
    },
    giveBack: async ({ specKey }: Session) => {
      returned.push(specKey);
    },
    replaceBroken: () => {
      repairs += 1;
    },
  };
  return { sessions, leased, returned, repairs: () => repairs };
}

const opened: SessionCluster[] = [];
afterEach(() => Promise.all(opened.splice(0).map(cluster => cluster.close())));

function open(sessions: ReturnType<typeof fakeSessions>["sessions"], places = 3): SessionCluster {
  const cluster = new SessionCluster(sessions, places);
  opened.push(cluster);
  return cluster;
}

const gone = () => new Error("Protocol error: Target closed");

test("each job gets a session of its own key, which is given back when the job settles", async () => {
  const { sessions, leased, returned } = fakeSessions();
  const cluster = open(sessions);
  const got: [string, string][] = [];
  const keys = ["a", "b", "c", "a", "d", "b", "e"];
  await Promise.all(
    keys.map(key =>
      cluster.run(needOf(key), async ({ specKey }) => {
        got.push([key, specKey]);
      }),
    ),
  );
  expect(got).toEqual(keys.map(key => [key, key]));
  expect([leased, returned]).toEqual([keys, keys]);
  await expect(cluster.run(needOf("f"), () => Promise.reject(new Error("of the job")))).rejects.toThrow(
    "of the job",
  );
  expect(returned.at(-1)).toBe("f");
});

test("no more jobs run at a time than there are places", async () => {
  const cluster = open(fakeSessions().sessions, 2);
  let [running, most] = [0, 0];
  const job = async () => {
    running += 1;
    most = Math.max(most, running);
    await new Promise(resolve => setImmediate(resolve));
    running -= 1;
  };
  await Promise.all(["a", "b", "c", "d", "e"].map(key => cluster.run(needOf(key), job)));
  expect(most).toBeLessThanOrEqual(2);
});

test("a lease that fails with its browser is repeated after a repair, twice", async () => {
  const { sessions, leased, repairs } = fakeSessions([gone(), gone(), gone(), gone(), gone()]);
  const cluster = open(sessions);
  await expect(cluster.run(needOf("a"), async () => undefined)).rejects.toThrow("Target closed");
  await cluster.run(needOf("b"), async () => undefined);
  expect(leased).toEqual(["a", "a", "a", "b", "b", "b"]);
  expect(repairs()).toBe(4);
});

test("a lease is not repeated for a job whose deadline is over", async () => {
  const { sessions, leased } = fakeSessions([gone()]);
  const late = needOf("a", AbortSignal.abort());
  await expect(open(sessions).run(late, async () => undefined)).rejects.toThrow("Target closed");
  expect(leased).toEqual(["a"]);
});

test("a browser that does not start costs no place, however often it is tried", async () => {
  const unavailable = new BrowserUnavailable("the browser does not start");
  const { sessions, leased, repairs } = fakeSessions(Array.from({ length: 12 }, () => unavailable));
  const cluster = open(sessions, 1);
  for (let n = 0; n < 12; n += 1)
    await expect(cluster.run(needOf("a"), async () => undefined)).rejects.toBe(unavailable);
  await cluster.run(needOf("a"), async () => undefined);
  expect([leased.length, repairs()]).toEqual([13, 0]);
});

test("a job that waits when the cluster closes fails, since no browser is there any more", async () => {
  const cluster = open(fakeSessions().sessions, 1);
  const never = cluster.run(needOf("a"), () => new Promise(() => undefined));
  const waiting = cluster.run(needOf("b"), async () => undefined);
  const outcomes = Promise.allSettled([never, waiting]);
  await cluster.close();
  for (const outcome of await outcomes)
    expect(outcome.status === "rejected" && outcome.reason).toBeInstanceOf(BrowserUnavailable);
  await expect(cluster.run(needOf("c"), async () => undefined)).rejects.toBeInstanceOf(BrowserUnavailable);
});
