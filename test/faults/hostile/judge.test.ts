import { judge, type Observed, type Visit } from "./judge.ts";

const visit: Visit = { page: "loop", status: "failed", code: "scrape_timeout", ms: 1, deaths: 0, readyMs: 5 };
const neighbour = { kind: "plain", beside: "loop", status: "completed", ms: 1 };
const run: Observed = {
  visits: [visit, { ...visit, status: "completed" }],
  neighbours: [neighbour],
  before: { ownMb: 300, allMb: 500 },
  after: { ownMb: 450, allMb: 5000 },
  canaryHits: [],
  leakedFiles: [],
  processesLeft: [],
};

test("nothing is wrong with a run that leaves nothing, and in which every scrape ends", () => {
  expect(judge(run)).toEqual([]);
});

test.each<[string, Partial<Observed>, RegExp]>([
  ["a death", { visits: [{ ...visit, deaths: 2 }] }, /loop: the service died 2 times/],
  ["a service that is not ready", { visits: [{ ...visit, readyMs: undefined }] }, /not ready/],
  ["a scrape without an end", { visits: [{ ...visit, status: "pending" }] }, /loop: its scrape is pending/],
  ["an inner error", { visits: [{ ...visit, code: "internal_error" }] }, /failed \(internal_error\)/],
  ["a failure without a code", { visits: [{ ...visit, code: "unknown" }] }, /failed \(unknown\)/],
  [
    "a neighbour's failure",
    { neighbours: [{ ...neighbour, status: "failed" }] },
    /^1 plain scrapes of other keys, beside loop: failed/,
  ],
  ["memory that stays", { after: { ownMb: 451, allMb: 0 } }, /was 300 MB and settled at 451 MB/],
  ["a hit of the canary", { canaryHits: ["GET /"] }, /canary was reached: GET/],
  ["a file", { leakedFiles: ["/x"] }, /file was left: \/x/],
  ["a process", { processesLeft: [7] }, /process 7 was left/],
])("%s is found", (_, seen, sentence) => {
  expect(judge({ ...run, ...seen })).toEqual([expect.stringMatching(sentence)]);
});
