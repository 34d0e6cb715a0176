import { firecrawlBody } from "../../../../../services/domain/delivery/formats/firecrawl.ts";

const monitor = { id: "mon_1", name: "Lamps" };
const page = {
  id: "p1",
  target: "shop",
  url: "https://a.test/",
  title: "Lamp",
  status: "changed",
  http_status: 200,
  error: null,
  moved_from: null,
  version: "v2",
  previous_version: "v1",
  change: { added: ["25"], removed: ["30"], diff: "@@ -1 +1 @@\n-30\n+25" },
  at: "2026-01-01T00:00:00.000Z",
};

function sent(type: string, data: object, metadata = {}): Record<string, unknown> {
  return JSON.parse(firecrawlBody(JSON.stringify({ id: "evt_1", type, data }), metadata));
}

test("a page that changed", () => {
  expect(sent("monitor.page", { source: null, monitor, check_id: "chk_1", page }, { env: "a" })).toEqual({
    success: true,
    type: "monitor.page",
    id: "chk_1",
    webhookId: "evt_1",
    data: [
      {
        ...{ monitorId: "mon_1", checkId: "chk_1", url: "https://a.test/", status: "changed" },
        ...{ previousScrapeId: "v1", currentScrapeId: "v2", error: null, isMeaningful: null, judgment: null },
        diff: {
          text: "--- previous\n+++ current\n@@ -1 +1 @@\n-30\n+25",
          json: { files: [expect.objectContaining({ additions: 1, deletions: 1 })] },
        },
      },
    ],
    metadata: { env: "a" },
  });
});

const judged = {
  judged: true,
  meaningful: true,
  confidence: 0.9,
  reason: "It fell.",
  summary: "30 became 25.",
};
test.each([
  [judged, true, "high"],
  [{ ...judged, confidence: 0.5 }, true, "medium"],
  [{ ...judged, meaningful: false, confidence: 0.1 }, false, "low"],
])("what the judge says: %j", (judgement, isMeaningful, confidence) => {
  const { data } = sent("monitor.page", { monitor, check_id: "c", page: { ...page, judgement } });
  const meaningfulChanges = isMeaningful
    ? [{ type: "changed", before: "30", after: "25", reason: "30 became 25." }]
    : [];
  const judgment = { meaningful: isMeaningful, confidence, reason: "It fell.", meaningfulChanges };
  expect(data).toMatchObject([{ isMeaningful, judgment }]);
});

test("what nobody judged has no judgment", () => {
  const judgement = { judged: false, reason: "too late" };
  const { data } = sent("monitor.page", { monitor, check_id: "c", page: { ...page, judgement } });
  expect(data).toMatchObject([{ isMeaningful: null, judgment: null }]);
});

test("fields, and a page that could not be read", () => {
  const fields = { price: { from: 30, to: 25 } };
  const { data } = sent("monitor.page", { monitor, check_id: "c", page: { ...page, change: { fields } } });
  expect(data).toMatchObject([
    { diff: { json: { price: { previous: 30, current: 25 } } }, snapshot: { json: { price: 25 } } },
  ]);
  const failed = { ...page, status: "failed", error: "The site answers 500.", change: null };
  expect(sent("monitor.page", { monitor, check_id: "c", page: failed })).toMatchObject({
    success: false,
    error: "The site answers 500.",
    data: [{ status: "error", diff: null }],
  });
});

const counts = { pages: 4, same: 1, new: 0, changed: 1, moved: 1, removed: 0, failed: 1 };
test.each([
  ["completed", null, true, "completed"],
  ["partial", "1 of 4 pages could not be read.", false, "partial"],
  ["skipped", "One was under way.", false, "skipped_overlap"],
])("the end of a check that is %s", (status, error, success, theirs) => {
  const told = sent("monitor.checked", {
    source: null,
    monitor,
    check: { id: "chk_1", status, counts, error },
  });
  expect(told).toEqual({
    ...{ success, type: "monitor.check.completed", id: "chk_1", webhookId: "evt_1", metadata: {} },
    data: [
      {
        ...{ monitorId: "mon_1", checkId: "chk_1", status: theirs },
        summary: { totalPages: 4, same: 1, changed: 2, new: 0, removed: 0, error: 1 },
      },
    ],
    ...(error && { error }),
  });
});

test("other events keep their names", () => {
  expect(sent("webhook.test", { source: null })).toMatchObject({
    type: "webhook.test",
    data: [{ source: null }],
  });
});
