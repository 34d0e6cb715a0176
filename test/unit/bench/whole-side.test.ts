import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpuSecondsOfTrees, megabytesOfTrees } from "../../bench/processes.ts";
import { costOf, costsOf, ratioOfCosts, showCosts } from "../../bench/whole-side.ts";

const children: ChildProcess[] = [];

afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
});

/** A shell that runs a child to its end for each line that it reads, and says so. The child takes so much CPU time. */
async function startShell(childMs: number) {
  const burn = `while (process.cpuUsage().user < ${childMs}e3);`;
  const script = `echo ready; while read line; do ${process.execPath} -e '${burn}'; echo done; done`;
  const child = spawn("sh", ["-c", script], { stdio: ["pipe", "pipe", "inherit"] });
  children.push(child);
  await once(child.stdout, "data");
  return {
    pid: child.pid ?? 0,
    runChild: async () => {
      child.stdin.write("go\n");
      await once(child.stdout, "data");
    },
  };
}

test("the CPU time of a child that has ended belongs to the tree", async () => {
  const { pid, runChild } = await startShell(300);
  const before = cpuSecondsOfTrees([pid]);
  await runChild();
  expect(cpuSecondsOfTrees([pid]) - before).toBeGreaterThanOrEqual(0.29);
});

test("a round's cost is that of its units", async () => {
  const { pid, runChild } = await startShell(300);
  const run = async () => {
    await runChild();
    return { units: 10, perSecond: 33 };
  };
  const { perSecond, cpuMs, peakMb } = await costOf({ pids: [pid], run });
  expect(perSecond).toBe(33);
  expect(cpuMs).toBeGreaterThanOrEqual(29);
  expect(peakMb).toBeGreaterThan(0);
});

test("memory is that of the tree, and nothing of a process that has ended", () => {
  const ended = Number(execFileSync("sh", ["-c", "echo $$"], { encoding: "utf8" }));
  expect(megabytesOfTrees([ended])).toBe(0);
  expect(megabytesOfTrees([process.pid])).toBeGreaterThan(10);
});

test("sides run in turn, and the first round does not count", async () => {
  const order: string[] = [];
  const side = (name: string) => ({
    pids: [],
    run: async () => ({ units: 1, perSecond: order.push(name) }),
  });
  const { ours, theirs } = await costsOf(2, { ours: side("ours"), theirs: side("theirs") });
  expect(order).toEqual(["ours", "theirs", "ours", "theirs", "ours", "theirs"]);
  expect(ours.map(({ perSecond }) => perSecond)).toEqual([3, 5]);
  expect(ratioOfCosts(ours, theirs, "perSecond")).toBeCloseTo(5 / 6);
});

test.each([
  [{ perSecond: 81.23, cpuMs: 11.34, peakMb: 340.4 }, "81.2 pages/s, 11.3 ms of CPU a page, at most 340 MB"],
  [{ perSecond: 15_600, cpuMs: 0.0754, peakMb: 99 }, "15600 pages/s, 75.4 µs of CPU a page, at most 99 MB"],
  [{ perSecond: 0.5, cpuMs: 2.5, peakMb: 1 }, "0.50 pages/s, 2.50 ms of CPU a page, at most 1 MB"],
])("%o is shown with its units", (cost, text) => {
  expect(showCosts([cost], "page")).toBe(text);
});
