import { createHash } from "node:crypto";
import type { ConnectorTools } from "../../../services/connectors/connector.ts";
import { pollPage } from "../../../services/connectors/pages/poll-page.ts";
import type { PollResult } from "../../../services/contracts/connectors.contract.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { PolledPage } from "../../../services/contracts/page-reads.contract.ts";
import { takeSnapshot } from "../../../services/domain/watch/snapshot.ts";
import type { View } from "../../../services/domain/watch/view.ts";
import { threadless } from "../../support/threadless.ts";

const url = "https://rooms.example/12";
const start = Date.parse("2026-11-27T10:00:00Z");
const [second, minute] = [1000, 60_000];
const body = (inside = "", above = "") => `${above}<main><h1>Room 12</h1>
  ${Array.from({ length: 12 }, (_, n) => `<p>Sentence ${"abcdefghijkl"[n]} about the room and its view.</p>`).join("")}
  ${inside}</main><footer><p>Open until 18:00</p></footer>`;
const storm = '<div class="alert" role="alert"><p>Closed today because of the storm</p></div>';

const hashOf = (page: string) => createHash("sha256").update(page).digest("hex");

/** Polls of a page, one after the other, each with what the former one left, as it is stored. */
class Polls {
  at = start;
  state: Record<string, unknown> = {};
  readonly view: View | undefined;

  constructor(view?: View) {
    this.view = view;
  }

  async poll(page: string, headers: Record<string, string> = {}): Promise<PollResult> {
    const html = `<!doctype html><html lang="en"><title>Room 12</title><body>${page}</body></html>`;
    const metadata = { title: "Room 12", status_code: 200, final_url: url, engine: "http" };
    const tools: ConnectorTools = {
      ...threadless,
      admit: text => new URL(text),
      fetchDocument: async () => Promise.reject(fail("internal_error", "A page is not fetched.")),
      readFeed: async () => ({ ok: false, reason: "A page is no feed." }),
      readSitemap: async () => ({ ok: false, reason: "A page is no sitemap." }),
      timeLeftMs: () => 1000,
      scrapePage: async (_, { views = [] } = {}) => {
        const snapshots = views.map(({ view, recipe, main }) =>
          takeSnapshot({ html, url, title: "Room 12", language: "en" }, view, {
            ...(recipe && { recipe }),
            ...(main && { main }),
          }),
        );
        const hash = hashOf(page);
        const isKept = views.every(({ page: kept }) => kept === hash);
        return {
          job: { url, data: { markdown: "", metadata } },
          headers,
          snapshots,
          ...(!isKept && { page: { hash, html: page, title: "Room 12" } }),
        } as unknown as PolledPage;
      },
      now: () => this.at,
      random: () => 0,
      minIntervalMs: minute,
    };
    const result = await pollPage(
      { externalId: url, state: this.state, failures: 0, ...(this.view && { view: this.view }) },
      tools,
    );
    this.state = JSON.parse(JSON.stringify(result.state)) as Record<string, unknown>;
    this.at += result.ok ? result.nextInMs : minute;
    return result;
  }
}

test("the first check asks for a second one half a minute later, and a change outside the content for another", async () => {
  const polls = new Polls();
  expect(await polls.poll(body())).toMatchObject({ ok: true, confirm: true, nextInMs: 30 * second });
  const second_ = await polls.poll(body());
  expect(second_).toMatchObject({ ok: true, check: { outcome: "same", muted: [] } });
  expect(second_).not.toHaveProperty("confirm");
  const { intervalMs } = polls.state;
  expect(await polls.poll(body("", storm))).toMatchObject({
    ...{ ok: true, confirm: true, nextInMs: 30 * second, posts: [] },
    check: {
      outcome: "held",
      status: 200,
      engine: "http",
      reason: expect.stringContaining("outside the main"),
    },
  });
  // A change that waits makes no check sooner but the one that confirms it.
  expect(polls.state.intervalMs).toBeGreaterThanOrEqual(intervalMs as number);
  expect(await polls.poll(body("", storm))).toMatchObject({
    posts: [{ data: { change: { added: ["Closed today because of the storm"], removed: [] } } }],
    check: { outcome: "changed", reason: "1 line added." },
  });
});

test("a check that confirms a change names the page as the one before it has kept it", async () => {
  const polls = new Polls();
  for (let n = 0; n < 2; n += 1) await polls.poll(body());
  const held = await polls.poll(body("", storm));
  expect(held).toMatchObject({ check: { outcome: "held", version: { hash: hashOf(body("", storm)) } } });
  expect(held).not.toHaveProperty("check.keptAs");
  const confirmed = await polls.poll(body("", storm));
  const [keptAs, against] = [hashOf(body("", storm)), hashOf(body())];
  expect(confirmed).toMatchObject({ check: { outcome: "changed", keptAs, against } });
  expect(confirmed).not.toHaveProperty("check.version");
});

test("a site that asks for a pause gets it before the second check", async () => {
  const polls = new Polls();
  expect(await polls.poll(body(), { "retry-after": "45" })).toMatchObject({
    confirm: true,
    nextInMs: 45 * second,
  });
});

test("a muted line is named by the check, and makes the next one no sooner", async () => {
  const polls = new Polls();
  const results: PollResult[] = [];
  for (let n = 0; n < 9; n += 1) results.push(await polls.poll(body(`<p>${22 + n} applicants</p>`)));
  const waits = results.slice(4).map(result => (result.ok ? result.nextInMs : 0));
  expect(waits).toEqual([...waits].sort((a, b) => a - b));
  expect(results.at(-1)).toMatchObject({
    posts: [],
    check: { outcome: "muted", muted: [{ text: "30 applicants", ignore: "/^[\\d.,:]+ applicants$/" }] },
  });
});

test("a check names its values: the number that is watched, and fields by their paths", async () => {
  const price = '<p class="price">€ 25</p>';
  const number = new Polls({ when: { value: { select: ".price", below: 20 } } });
  expect(await number.poll(body(price))).toMatchObject({ check: { values: { value: 25 } } });
  const recipe = {
    version: 1,
    fields: { price: { selector: ".price", type: "number" }, name: { selector: "h1" } },
  };
  const fields = new Polls({ json: { recipe } });
  expect(await fields.poll(body(price))).toMatchObject({ check: { values: { price: 25, name: "Room 12" } } });
});

test.each([
  ["<h1>Error establishing a database connection</h1>", "The site shows an error page."],
  [
    "<h1>Room 12</h1><p>This content is not available in your region.</p>",
    "The site refuses visitors of this region.",
  ],
  ["<h1>Welcome to nginx!</h1>", "The server shows a page of its own in place of the site's."],
])("%s is a failed poll, and its end no change", async (page, reason) => {
  const polls = new Polls();
  await polls.poll(body());
  await polls.poll(body());
  expect(await polls.poll(page)).toMatchObject({ ok: false, gone: false, reason });
  expect(await polls.poll(body())).toMatchObject({ ok: true, posts: [], check: { outcome: "same" } });
});

test("what is kept of a page is small", async () => {
  const polls = new Polls();
  const items = (mark: string) =>
    `<ul>${Array.from({ length: 500 }, (_, n) => `<li><a href="/room/${n}">Room ${n} ${mark}, with a view of the sea and ${n * 7} books</a></li>`).join("")}</ul>`;
  for (let n = 0; n < 8; n += 1) await polls.poll(body(`${items("in the harbour")}<p>${n} applicants</p>`));
  expect(JSON.stringify(polls.state).length).toBeLessThan(20 * 1024);
});
