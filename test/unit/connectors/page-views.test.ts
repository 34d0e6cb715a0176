import type { ConnectorTools, PageAsked, PolledSource } from "../../../services/connectors/connector.ts";
import { pollPage, pollPageViews } from "../../../services/connectors/pages/poll-page.ts";
import { fail } from "../../../services/contracts/errors.ts";
import type { PolledPage } from "../../../services/contracts/page-reads.contract.ts";
import { takeSnapshot } from "../../../services/domain/watch/snapshot.ts";
import { threadless } from "../../support/threadless.ts";

const url = "https://x.example/boots";
const html = (price: string, stock = "In stock") =>
  `<html lang="en"><body><main><h1>Boots</h1><p class="price">${price}</p><p class="stock">${stock}</p></main></body></html>`;

interface Asked {
  pages: PageAsked[];
  pictures: (string | undefined)[];
}

/** Tools of which the scraper shows a page; pictures fail where there is no browser. */
function toolsFor(page: string | Error, asked: Asked, hasBrowser = true): ConnectorTools {
  return {
    ...threadless,
    admit: text => new URL(text),
    fetchDocument: async () => Promise.reject(fail("internal_error", "A page is not fetched.")),
    readFeed: async () => ({ ok: false, reason: "A page is no feed." }),
    readSitemap: async () => ({ ok: false, reason: "A page is no sitemap." }),
    timeLeftMs: () => 1000,
    scrapePage: async (_, how = {}) => {
      asked.pages.push(how);
      if (page instanceof Error) throw page;
      const markdown = page.replace(/<[^>]*>/g, "\n");
      const looked = { html: page, url, title: "Boots", language: "en" };
      const snapshots = how.views?.map(({ view, ...learned }) => takeSnapshot(looked, view, learned));
      const metadata = { title: "Boots", status_code: 200, final_url: url };
      return { job: { url, data: { markdown, metadata } }, headers: {}, snapshots } as unknown as PolledPage;
    },
    pictureChange: async (_, watchId, _how, kept) => {
      asked.pictures.push(kept);
      if (!hasBrowser) throw fail("overloaded", "There is no browser.");
      const count = asked.pictures.length;
      const pictures = { before: kept ?? null, after: `after ${count}`, difference: `${watchId} ${count}` };
      return { pictures, kept: `kept ${count}`, bytes: 0 };
    },
    now: () => Date.parse("2026-11-23T10:00:00Z"),
    random: () => 0,
    minIntervalMs: 60_000,
  };
}

const nothingAsked = (): Asked => ({ pages: [], pictures: [] });
const source = (more: Partial<PolledSource> = {}): PolledSource => ({
  ...{ externalId: url, state: {}, failures: 0 },
  ...more,
});
const changeOf = (result: { ok: boolean; posts?: { data: unknown }[] } | undefined) =>
  (result?.posts?.[0]?.data as { change?: Record<string, unknown> } | undefined)?.change;

test("the views of a page are polled with one fetch, and one that sees nothing fails alone", async () => {
  const asked = nothingAsked();
  const views: PolledSource[] = [
    source(),
    source({ view: { select: [".price"] } }),
    source({ view: { select: [".gone"] } }),
    source({ view: { select: [".stock"] } }),
  ];
  const first = await pollPageViews(views, toolsFor(html("€ 20"), asked));
  expect(first.map(({ ok }) => ok)).toEqual([true, true, false, true]);
  expect(first[2]).toMatchObject({
    reason: "The selection `.gone` finds nothing on this page.",
    gone: false,
  });
  const later = views.map((view, at) => ({ ...view, state: structuredClone(first[at]?.state ?? {}) }));
  const second = await pollPageViews(later, toolsFor(html("€ 18"), asked));
  expect(second.map(changeOf)).toMatchObject([
    { added: ["€ 18"], removed: ["€ 20"] },
    { added: ["€ 18"], removed: ["€ 20"], title: "Boots", url },
  ]);
  expect(second[3]).toMatchObject({ ok: true, posts: [] });
  expect(asked.pages.map(({ views: wanted }) => wanted?.length)).toEqual([4, 4]);
});

test("the memory of a view stays in its state: a limit, a recipe, the lines that were shown", async () => {
  const poll = async (view: PolledSource["view"], state: object, price: string) =>
    pollPage(
      source({ view, state: JSON.parse(JSON.stringify(state)) }),
      toolsFor(html(price), nothingAsked()),
    );
  const told = async (view: PolledSource["view"], ...prices: string[]) => {
    let state = {};
    const changes: unknown[] = [];
    for (const price of prices) {
      const result = await poll(view, state, price);
      changes.push(changeOf(result)?.value ?? changeOf(result)?.fields ?? changeOf(result)?.added ?? null);
      state = result.state;
    }
    return changes;
  };
  expect(await told({ when: { value: { select: ".price", below: 20 } } }, "€ 25", "€ 19", "€ 18")).toEqual([
    null,
    { from: 25, to: 19 },
    null,
  ]);
  const recipe = { version: 1, fields: { price: { selector: ".price", type: "number" } } };
  expect(await told({ json: { recipe } }, "€ 25", "€ 25", "€ 19")).toEqual([
    null,
    null,
    { price: { from: 25, to: 19 } },
  ]);
  expect(await told({ select: [".price"], unique_lines: true }, "One", "Two", "One", "Three")).toEqual([
    null,
    ["Two"],
    null,
    ["Three"],
  ]);
});

test("a change comes with its pictures; the first one is taken before there is a change", async () => {
  const asked = nothingAsked();
  const view = { select: [".price"], screenshot: true };
  const first = await pollPage(source({ view, id: "src_1" }), toolsFor(html("€ 20"), asked));
  const same = await pollPage(
    source({ view, id: "src_1", state: first.state }),
    toolsFor(html("€ 20"), asked),
  );
  const changed = await pollPage(
    source({ view, id: "src_1", state: same.state }),
    toolsFor(html("€ 18"), asked),
  );
  expect(asked.pictures).toEqual([undefined, "kept 1"]);
  expect(changeOf(changed)?.screenshot).toEqual({
    before: "kept 1",
    after: "after 2",
    difference: "src_1 2",
  });
  expect(changed.state.picture).toBe("kept 2");
});

test("a change beyond the share of its watch is told without pictures and without a visit", async () => {
  const asked = nothingAsked();
  const view = { select: [".price"], screenshot: true };
  let state: Record<string, unknown> = {};
  const told: unknown[] = [];
  for (let n = 0; n < 210; n += 1) {
    const result = await pollPage(source({ view, id: "src_1", state }), toolsFor(html(`€ ${n}`), asked));
    // As it is stored: the state is JSON.
    state = JSON.parse(JSON.stringify(result.state)) as Record<string, unknown>;
    told.push(changeOf(result) && (changeOf(result)?.screenshot === undefined ? "bare" : "pictures"));
  }
  // The first snapshot takes a picture, too.
  const bare = Array.from({ length: 10 }, () => "bare");
  expect(told).toEqual([undefined, ...Array.from({ length: 199 }, () => "pictures"), ...bare]);
  expect(asked.pictures).toHaveLength(200);
  const laterTools = { ...toolsFor(html("€ 1"), asked), now: () => Date.parse("2026-11-23T10:29:00Z") };
  const later = await pollPage(source({ view, id: "src_1", state }), laterTools);
  expect(changeOf(later)?.screenshot).toMatchObject({ before: "kept 200" });
});

test("a change is told without pictures where none can be made", async () => {
  const asked = nothingAsked();
  const view = { select: [".price"], screenshot: true };
  const first = await pollPage(source({ view, id: "src_1" }), toolsFor(html("€ 20"), asked, false));
  const changed = await pollPage(
    source({ view, id: "src_1", state: first.state }),
    toolsFor(html("€ 18"), asked, false),
  );
  expect(changeOf(changed)).toMatchObject({ added: ["€ 18"] });
  expect(changeOf(changed)).not.toHaveProperty("screenshot");
});

test("a bot wall is a failed poll of every view, and no change", async () => {
  const wall = fail("target_blocked", "The site answered with a check that keeps programs out.");
  const state = { name: "Boots" };
  const views = [source({ state }), source({ state, view: { select: [".price"] } })];
  expect(await pollPageViews(views, toolsFor(wall, nothingAsked()))).toMatchObject([
    { ok: false, code: "target_blocked", state },
    { ok: false, code: "target_blocked", state },
  ]);
});

test("a page is rendered as its views want it", async () => {
  const asked = nothingAsked();
  await pollPage(source({ view: { render: "always" } }), toolsFor(html("€ 20"), asked));
  expect(asked.pages).toMatchObject([{ render: "always" }]);
});
