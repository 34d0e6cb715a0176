import { cpuTicks, machineLine, machineState } from "../../bench/machine.ts";

const stat = "cpu  100 20 30 800 10 5 15 20 7 3\ncpu0 50 10 15 400 5 2 8 10 3 1\n";

test("time of the machine is read with what the host took, guests not counted twice", () => {
  expect(cpuTicks(stat)).toEqual({ all: 1000, busy: 150, stolen: 20 });
});

test("the line tells what other programs had and what the host took", () => {
  const before = { load: 0.5, cpu: { all: 1000, busy: 150, stolen: 20 }, ownTicks: 40 };
  const after = { load: 1.25, cpu: { all: 2000, busy: 650, stolen: 60 }, ownTicks: 440 };
  expect(machineLine(before, after)).toMatch(
    /^machine: \d+ cores, .+, Node \d+\.\d+\.\d+; load 0\.50 before, 1\.25 after; of its CPU time other programs had 10 %, other machines of the host 4 %$/,
  );
});

test("a moment later nothing is less than nothing", () => {
  const state = machineState();
  expect(machineLine(state, state)).toMatch(/had 0 %, other machines of the host 0 %$/);
});
