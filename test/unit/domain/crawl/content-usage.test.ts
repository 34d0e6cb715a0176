import fc from "fast-check";
import { contentUsage } from "../../../../services/domain/crawl/content-usage.ts";
import { robotsRules } from "../../../../services/domain/crawl/robots-rules.ts";
import { usageStatements } from "../../../../services/scraper/stated-usage.ts";

const meaning = (...statements: [name: string, value: string][]) => {
  const usage = contentUsage(statements.map(([name, value]) => ({ by: "header" as const, name, value })));
  return usage && [usage.train_ai, usage.ai_input, usage.search, ...(usage.tdm ? [usage.tdm] : [])];
};

test.each<[name: string, value: string, (string | null)[]]>([
  ["content-signal", "ai-train=no, search=yes, ai-input=no", ["no", "no", "yes"]],
  ["Content-Signal", " Search = YES ,AI-Train=No", ["no", null, "yes"]],
  ["content-signal", "search=yes, ai-train=maybe, use=no, ai-input", [null, null, "yes"]],
  ["content-usage", "train-ai=n", ["no", null, null]],
  ["content-usage", "train-ai=y, search=n", ["yes", null, "no"]],
  ["content-usage", 'train-ai;allow=n;x="a,b", other="q", search=y;p', [null, null, "yes"]],
  // The last of a name counts, and what is no token says nothing (draft-ietf-aipref-vocab, 6.5.1).
  ["content-usage", 'train-ai=y, train-ai, search=n, search="n"', [null, null, null]],
  ["content-usage", "train-ai=constructor, search=y", [null, null, "yes"]],
  // No dictionary.
  ["content-usage", "Train-AI=n", [null, null, null]],
  ["content-usage", "train-ai=n, search=y,", [null, null, null]],
  ["content-usage", "train-ai=n search=y", [null, null, null]],
  ["content-usage", 'train-ai=n, x="open', [null, null, null]],
  ["tdm-reservation", "1", ["no", null, null, "no"]],
  ["tdm-reservation", "0", [null, null, null, "yes"]],
  ["x-robots-tag", "noai", ["no", null, null]],
  ["x-robots-tag", "noimageai", [null, null, null]],
])("%s: %s", (name, value, meant) => {
  expect(meaning([name, value])).toEqual(meant);
});

test("of statements that differ, the one that refuses counts; without any there is nothing", () => {
  expect(meaning(["content-usage", "train-ai=y"], ["content-signal", "ai-train=no"])).toEqual([
    "no",
    null,
    null,
  ]);
  expect(meaning()).toBeUndefined();
  expect(meaning(["content-usage", "x".repeat(501)])).toBeUndefined();
  expect(
    contentUsage(usageStatements({ "content-type": "text/html", "x-robots-tag": "noindex" }, "nofollow")),
  ).toBe(undefined);
});

test("headers, `meta` elements and directives for robots are statements", () => {
  const answer = {
    "content-usage": "search=y",
    "tdm-reservation": "1",
    "x-robots-tag": "bot: noindex, NoAI",
  };
  const page = { "tdm-policy": "https://site.example/policy.json" };
  expect(usageStatements(answer, "noimageai, index", page)).toEqual([
    { by: "header", name: "content-usage", value: "search=y" },
    { by: "header", name: "tdm-reservation", value: "1" },
    { by: "header", name: "x-robots-tag", value: "noai" },
    { by: "page", name: "tdm-policy", value: "https://site.example/policy.json" },
    { by: "page", name: "robots", value: "noimageai" },
  ]);
});

const site = "https://site.example";
const stated = (text: string, path: string) =>
  robotsRules(text, 200, `${site}/robots.txt`)
    .usage(site + path)
    .map(({ name, value }) => `${name}: ${value}`);

test("the longest rule that fits a path says what its content may be used for (draft-ietf-aipref-attach)", () => {
  const text = [
    "User-Agent: *",
    "Content-Signal: ai-train=no",
    "Content-Usage: train-ai=n",
    "Content-Usage: /ai-ok/ train-ai=y # as agreed",
    "CONTENT-USAGE :  /ai-ok/\ttrain-ai=y, search=n",
    "Content-Usage: /*.pdf$ search=n",
    "Disallow: /never/",
    "",
    "User-agent: other",
    "Content-Usage: search=n",
  ].join("\n");
  const signal = "content-signal: ai-train=no";
  expect(stated(text, "/test")).toEqual([signal, "content-usage: train-ai=n"]);
  expect(stated(text, "/ai-ok/test")).toEqual([
    signal,
    "content-usage: train-ai=y",
    "content-usage: train-ai=y, search=n",
  ]);
  expect(stated(text, "/a.pdf")).toEqual([signal, "content-usage: search=n"]);
  expect(stated(text, "/a.pdf?x")).toEqual([signal, "content-usage: train-ai=n"]);
  expect(stated("User-agent: Magpie\nAllow: /\n\nUser-agent: *\nContent-Signal: search=no", "/")).toEqual([]);
  expect(robotsRules(text, 404, `${site}/robots.txt`).usage(`${site}/test`)).toEqual([]);
  expect(robotsRules(text, 200, `${site}/robots.txt`).usage("https://else.example/test")).toEqual([]);
});

test("rules without end are read as far as they count, whatever they are", () => {
  const many = Array.from(
    { length: 10_000 },
    (_, at) => `Content-Usage: /${"*a".repeat(100)}${at} train-ai=n`,
  );
  expect(stated(["User-agent: *", ...many].join("\n"), `/${"a".repeat(2000)}`)).toEqual([]);
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), text => {
      expect(meaning(["content-usage", text], ["content-signal", text])?.length ?? 3).toBe(3);
      stated(`User-agent: *\nContent-Usage: ${text}`, "/a");
    }),
  );
});
