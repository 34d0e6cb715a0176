import { type Aim, aimOf, noAim } from "../../../dashboard/watch/aim.ts";
import { changesOf, optionsOf } from "../../../dashboard/watch/aim-options.ts";

const aim: Aim = {
  ...noAim,
  tags: "shop,  lamps ,",
  interval: " 15m ",
  days: ["mon", "fri"],
  from: "08:00",
  timeZone: "Europe/Rome",
  select: ".price\n\n //div[@id='stock'] ",
  content: "main",
  keepDays: "30",
  ignore: "/^\\d+ people/",
  contains: "in stock",
  only: "added",
  valueSelect: ".price",
  below: "49,90",
  uniqueLines: true,
  render: "always",
  headers: "accept-language: de\nx-shop: a:b",
  schema: '{"type":"object"}',
};

const options = {
  tags: ["shop", "lamps"],
  interval: "15m",
  schedule: { time_zone: "Europe/Rome", days: ["mon", "fri"], from: "08:00" },
  select: [".price", "//div[@id='stock']"],
  content: "main",
  keep: { days: 30 },
  ignore: ["/^\\d+ people/"],
  when: { contains: ["in stock"], added_only: true, value: { select: ".price", below: 49.9 } },
  unique_lines: true,
  render: "always",
  headers: { "accept-language": "de", "x-shop": "a:b" },
  json: { schema: { type: "object" } },
};

test("a form becomes the chosen options only", () => {
  expect(optionsOf(aim, "web")).toEqual(options);
  expect(optionsOf(noAim, "web")).toEqual({});
});

const awkward: Aim = {
  ...noAim,
  waitFor: " .price ",
  waitMs: "500",
  proxy: "DE",
  actions: '[{"type":"click","selector":"#more"}]',
  session: "shop",
};
const posted: Aim = { ...noAim, method: "POST", body: '{"query":"lamps"}', jsonPath: "$.a\n$.b\n" };

test.each([
  [
    awkward,
    {
      wait_for: { selector: ".price", ms: 500 },
      proxy: { location: "DE" },
      actions: [{ type: "click", selector: "#more" }],
      session: { name: "shop" },
    },
  ],
  [posted, { method: "POST", body: { query: "lamps" }, extract: { json_path: ["$.a", "$.b"] } }],
  [
    { ...noAim, method: "POST" as const, body: "q=lamps" },
    { method: "POST", body: "q=lamps" },
  ],
  [{ ...noAim, xpath: "//Version" }, { extract: { xpath: ["//Version"] } }],
])("%j of an awkward page becomes %j", (written, made) => {
  expect(optionsOf(written, "web")).toEqual(made);
});

test("a site waits and has a proxy, and no more of these", () => {
  expect(optionsOf({ ...awkward, ...{ method: "POST", body: "q" } }, "site")).toEqual({
    wait_for: { selector: ".price", ms: 500 },
    proxy: { location: "DE" },
  });
});

test("a hidden body and typed texts stay as long as nobody changes them", () => {
  const actions = [{ type: "type", selector: "#q", text: "•••" }];
  const shown = { method: "POST", body: "•••", actions, extract: { json_path: ["$.a"] } };
  const before = aimOf(shown);
  expect(optionsOf(before, "web")).toEqual(shown);
  expect(changesOf({ ...before, jsonPath: "$.b" }, before, "web")).toEqual({
    extract: { json_path: ["$.b"] },
  });
  expect(changesOf({ ...before, body: "", method: "" }, before, "web")).toEqual({ body: null, method: null });
});

test("actions that are no JSON list say so", () => {
  expect(() => optionsOf({ ...noAim, actions: "click" }, "web")).toThrow("no JSON list");
});

test("a feed takes no parts of a page, and an account takes tags only", () => {
  expect(Object.keys(optionsOf(aim, "rss")).sort()).toEqual(
    ["headers", "ignore", "interval", "keep", "schedule", "tags", "when"].sort(),
  );
  expect(optionsOf(aim, "microblog")).toEqual({ tags: ["shop", "lamps"] });
});

const siteOptions = {
  tags: ["docs"],
  goal: "Prices and deadlines",
  limit: 200,
  include: ["/docs/**"],
  exclude: ["/docs/archive/**", "*.pdf"],
  max_depth: 3,
  include_entire_domain: true,
  include_subdomains: true,
  sitemaps: false,
  checks: true,
  content: "main",
  remove: [".advert"],
  interval: "1d",
  when: { added_only: true },
};

const searchOptions = {
  goal: "Openings in Vienna",
  domains: ["example.com", "example.org"],
  window: "week",
  interval: "6h",
  ignore: ["/sponsored/"],
};

test.each([
  ["site", siteOptions],
  ["search", searchOptions],
  ["web", { goal: "Prices" }],
  ["rss", { goal: "Prices" }],
] as const)("the options of a %s become a form that gives them back", (kind, all) => {
  const { tags = [], ...rest } = { tags: undefined, ...all };
  expect(optionsOf(aimOf(rest, tags), kind)).toEqual(all);
});

test("a site and a search take nothing that is of a single page", () => {
  const { when, ...ofSite } = optionsOf({ ...aim, limit: "5" }, "site");
  expect(when).toEqual({ contains: ["in stock"], added_only: true });
  for (const name of ["select", "json", "screenshot"]) expect(ofSite).not.toHaveProperty(name);
  expect(Object.keys(optionsOf(aim, "search")).sort()).toEqual(
    ["ignore", "interval", "keep", "schedule", "tags", "when"].sort(),
  );
});

test("sitemaps that are read again are named as removed", () => {
  const before = aimOf({ sitemaps: false, limit: 20 });
  expect(changesOf({ ...before, noSitemaps: false, limit: "" }, before, "site")).toEqual({
    sitemaps: null,
    limit: null,
  });
});

test("options become a form that gives the same options back", () => {
  const { tags, ...rest } = options;
  expect(optionsOf(aimOf(rest, tags), "web")).toEqual(options);
});

test("a change names what differs, with null for an emptied field", () => {
  const before = aimOf({ ...options, headers: { "accept-language": "•••" } }, options.tags);
  expect(changesOf(before, before, "web")).toEqual({});
  expect(changesOf({ ...before, select: "", tags: "", interval: "1h" }, before, "web")).toEqual({
    select: null,
    tags: [],
    interval: "1h",
  });
});

test("a secret that is shown as dots is kept, also in a preview", () => {
  const before = aimOf({ headers: { cookie: "•••" } });
  expect(changesOf({ ...before, interval: "1h" }, before, "web")).toEqual({ interval: "1h" });
  expect(changesOf({ ...before, headers: "cookie: •••\nx: 1" }, before, "web")).toEqual({
    headers: { cookie: "•••", x: "1" },
  });
  expect(changesOf({ ...before, headers: "" }, before, "web")).toEqual({ headers: null });
  expect(optionsOf({ ...before, headers: "cookie: •••\nx: 1" }, "web")).toEqual({
    headers: { cookie: "•••", x: "1" },
  });
});

test.each([
  [{ below: "cheap" }, /Below must be a number/],
  [{ schema: "{" }, /not JSON/],
  [{ headers: "no colon" }, /name: value/],
] as const)("the form %j is refused with a sentence", (wrong, sentence) => {
  expect(() => optionsOf({ ...noAim, ...wrong }, "web")).toThrow(sentence);
});
