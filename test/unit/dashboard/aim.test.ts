import { type Aim, aimOf, changesOf, noAim, optionsOf } from "../../../dashboard/watch/aim.ts";

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

test("a feed takes no parts of a page, and an account takes tags only", () => {
  expect(Object.keys(optionsOf(aim, "rss")).sort()).toEqual(
    ["headers", "ignore", "interval", "keep", "schedule", "tags", "when"].sort(),
  );
  expect(optionsOf(aim, "microblog")).toEqual({ tags: ["shop", "lamps"] });
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
