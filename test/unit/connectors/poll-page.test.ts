import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { pollPage } from "../../../services/connectors/web/poll-page.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { Visit } from "../../../services/contracts/scraper.contract.ts";

const minute = 60_000;
const title = "# X\\_1: \\*all\\*";
const before = `${title}\n\nWhat the page says.`;

/** Polls a page that was looked at every ten minutes; it has not changed unless told otherwise. */
async function poll(status: number, headers: Record<string, string>, markdown = before) {
  const url = "https://x.example/";
  const metadata = { title: "X_1: *all*", status_code: status, final_url: url };
  const tools: ConnectorTools = {
    admit: text => new URL(text),
    fetchDocument: async () => {
      throw fail("internal_error", "A page is not fetched.");
    },
    readFeed: async () => ({ ok: false, reason: "A page is no feed." }),
    visit: async () => ({ job: { url, data: { markdown, metadata } }, headers }) as Visit,
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
    return { job: { ...job, data: { ...job.data, markdown: before, metadata } }, headers: {} };
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

test.each([
  ["nothing", ""],
  ["its title, which the scraper puts above the content", title],
])("a page that comes to show %s has not changed: it is in trouble", async (_, markdown) =>
  expect(await poll(200, {}, markdown)).toMatchObject({ ok: false, reason: "The page has no content." }),
);

test("a page that comes to show its title and one line more has changed", async () =>
  expect(await poll(200, {}, `${title}\n\nMoved.`)).toMatchObject({
    ok: true,
    posts: [{ data: { change: { added: ["Moved."], removed: ["What the page says."] } } }],
  }));
