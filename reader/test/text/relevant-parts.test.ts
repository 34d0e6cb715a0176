import { askedWords } from "../../recipe/asked-words.ts";
import { type Part, relevantParts } from "../../text/relevant-parts.ts";

const parts = (...texts: string[]): Part[] => texts.map(text => ({ text }));
const ships = Array.from({ length: 40 }, (_, n) => `Ship ${n} lies in the harbour.`);

test("what fits is whole", () => {
  expect(relevantParts(parts("a", "b", "c"), ["c"], 100)).toEqual([0, 1, 2]);
});

test("of more the beginning, then the parts with most of the words, in their order", () => {
  const all = parts(...ships, "The price is 5.", ...ships, "Prices rose.");
  const chosen = relevantParts(all, ["price"], 300);
  expect(chosen[0]).toBe(0);
  expect(chosen).toEqual(expect.arrayContaining([40, 81]));
  expect(chosen).toEqual([...chosen].sort((a, b) => a - b));
  expect(chosen.reduce((sum, at) => sum + (all[at]?.text.length ?? 0), 0)).toBeLessThanOrEqual(300);
});

test("a part brings what it is not understood without", () => {
  const heading = { text: "## Prices of oak" };
  const row = { text: "Five", needs: [40] };
  const all = [...parts(...ships), heading, ...parts(...ships), row, { text: "Oak five", needs: [40] }];
  expect(relevantParts(all, ["five"], 120)).toEqual(expect.arrayContaining([40, 81, 82]));
});

test("scripts without spaces are compared by pairs of signs", () => {
  const all = parts(...ships, "この棚の価格は五千円です。", ...ships);
  expect(relevantParts(all, ["価格"], 150)).toContain(40);
});

test.each<[string, Parameters<typeof askedWords>[0], string[]]>([
  ["a prompt", { prompt: "Is it made of wood?" }, ["wood", "made"]],
  ["a prompt, with what pages call a thing", { prompt: "the weight" }, ["weight", "gewicht", "poids"]],
  [
    "names and descriptions of a schema",
    {
      schema: {
        type: "object",
        properties: { shelfLife: { type: "string", description: "Days until it spoils" } },
      },
    },
    ["shelf", "life", "spoils"],
  ],
  [
    "what a schema lists",
    { schema: { properties: { mood: { enum: ["happy", "sad"] } } } },
    ["mood", "happy"],
  ],
])("the words of a request: %s", (_, request, words) => {
  expect(askedWords(request)).toEqual(expect.arrayContaining(words));
});
