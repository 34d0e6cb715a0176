import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { pollPage } from "../../../services/connectors/web/poll-page.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { Visit } from "../../../services/contracts/scraper.contract.ts";

const minute = 60_000;

/** Polls a page that was looked at every ten minutes and has not changed. */
async function poll(status: number, headers: Record<string, string>) {
  const url = "https://x.example/";
  const metadata = { title: "X", status_code: status, final_url: url };
  const tools: ConnectorTools = {
    admit: text => new URL(text),
    fetchDocument: async () => {
      throw fail("internal_error", "A page is not fetched.");
    },
    readFeed: async () => ({ ok: false, reason: "A page is no feed." }),
    visit: async () => ({ job: { url, data: { markdown: "# X", metadata } }, headers }) as Visit,
    now: () => Date.parse("2025-06-03T10:15:00Z"),
    random: () => 0,
    minIntervalMs: minute,
  };
  const first = await pollPage(
    { externalId: url, state: {}, failures: 0 },
    { ...tools, visit: plain(tools) },
  );
  const state = { ...first.state, intervalMs: 10 * minute };
  return await pollPage({ externalId: url, state, failures: 0 }, tools);
}

function plain({ visit }: ConnectorTools): ConnectorTools["visit"] {
  return async url => {
    const { job } = await visit(url);
    const metadata = { ...job.data.metadata, status_code: 200 };
    return { job: { ...job, data: { ...job.data, metadata } }, headers: {} };
  };
}

test.each<[string, Record<string, string>, number]>([
  ["no wish", {}, 12],
  ["a shorter one", { "cache-control": "max-age=60" }, 12],
  ["a longer one", { "cache-control": "max-age=1800" }, 30],
  ["Retry-After", { "retry-after": "7200" }, 120],
])("after a good poll a page waits by %s of its server", async (_, headers, minutes) =>
  expect(await poll(200, headers)).toMatchObject({ ok: true, nextInMs: minutes * minute }),
);

test.each<[number, Record<string, string>, number]>([
  [503, {}, 1],
  [503, { "retry-after": "3600" }, 60],
  [429, { "retry-after": "Tue, 03 Jun 2025 12:15:00 GMT" }, 120],
  [404, { "cache-control": "max-age=3600" }, 1],
])("after %d with %j for %d minutes", async (status, headers, minutes) =>
  expect(await poll(status, headers)).toMatchObject({ ok: false, retryAfterMs: minutes * minute }),
);
