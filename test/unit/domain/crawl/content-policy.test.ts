import { joinedUses, refusalOf, withUsesOf } from "../../../../services/domain/crawl/content-policy.ts";
import {
  contentUsage,
  type UsageStatement,
  type Use,
} from "../../../../services/domain/crawl/content-usage.ts";

test.each<[key: Use[] | undefined, request: Use[] | undefined, together: Use[]]>([
  [undefined, undefined, []],
  [["train_ai"], undefined, ["train_ai"]],
  [undefined, ["tdm", "search"], ["search", "tdm"]],
  [
    ["train_ai", "search"],
    ["search", "ai_input"],
    ["ai_input", "search", "train_ai"],
  ],
])("a request adds to the uses of its key %j, and drops none: %j", (key, request, together) => {
  expect(joinedUses(key, request)).toEqual(together);
  const wanted = { url: "u", request: { device: "desktop", ...(request && { content_uses: request }) } };
  const of = key ? { contentUses: key } : {};
  const uses = together.length > 0 ? { content_uses: together } : {};
  expect(withUsesOf(of, wanted)).toEqual({ url: "u", request: { device: "desktop", ...uses } });
});

const signal: UsageStatement = {
  by: "robots.txt",
  name: "content-signal",
  value: "ai-train=no, search=yes",
};
const reserved: UsageStatement = { by: "tdmrep.json", name: "tdm-reservation", value: "1" };
const preferred: UsageStatement = { by: "header", name: "content-usage", value: "train-ai=y, search=n" };

test.each<[statements: UsageStatement[], uses: Use[], refusal: RegExp | null]>([
  [[signal], ["train_ai"], /`train_ai`.*: its robots\.txt says `content-signal: ai-train=no, search=yes`\.$/],
  [[signal], ["search", "ai_input", "tdm"], null],
  [[signal], [], null],
  [[], ["train_ai"], null],
  [[preferred, signal], ["train_ai"], /its robots\.txt says/],
  [[preferred, signal], ["search"], /`search`.*: a header of its answer says `content-usage: /],
  [[reserved], ["search", "train_ai"], /`train_ai`.*: its tdmrep\.json says `tdm-reservation: 1`/],
  [[reserved], ["tdm"], /`tdm`/],
  [
    [{ by: "page", name: "robots", value: "noai" }],
    ["ai_input", "train_ai"],
    /: the page says `robots: noai`/,
  ],
])("%j for %j", (statements, uses, refusal) => {
  const said = refusalOf(contentUsage(statements), uses);
  if (refusal === null) expect(said).toBeNull();
  else expect(said).toMatch(refusal);
});

test("what is said twice is one statement", () => {
  expect(contentUsage([signal, { ...signal }, { ...signal, by: "header" }])?.statements).toEqual([
    signal,
    { ...signal, by: "header" },
  ]);
});
