import { readVerdict } from "../../../../services/domain/goal/verdict.ts";

const good = { meaningful: true, confidence: 0.9, reason: "It is about it.", summary: "The price fell." };
const json = (changes: object) => JSON.stringify({ ...good, ...changes });

test.each([
  ["as it is", JSON.stringify(good)],
  ["with white space around it", `\n ${JSON.stringify(good, null, 2)}\n`],
  ["in a code fence", `\`\`\`json\n${JSON.stringify(good)}\n\`\`\``],
  [
    "after what the model thinks",
    `<think>\nA {price}. ${"Hm. ".repeat(5000)}\n</think>\n\n${JSON.stringify(good)}`,
  ],
])("a verdict %s", (_, answer) => {
  expect(readVerdict(answer)).toEqual(good);
});

test("its sentences become single lines without control characters", () => {
  const answer = json({ reason: " It\u0000 is\nabout it. ", summary: "The\u2028price\tfell." });
  expect(readVerdict(answer)).toEqual(good);
});

test.each([
  ["no JSON", "Yes, this is meaningful."],
  ["another language", "Ja, das ist bedeutsam: Der Preis ist gefallen."],
  ["fields in another language", JSON.stringify({ bedeutsam: true, sicherheit: 1, grund: "x", kurz: "y" })],
  ["words around the JSON", `Here it is: ${JSON.stringify(good)}`],
  ["a second thought", `<think>a</think><think>b</think>${JSON.stringify(good)}`],
  ["a verdict within a thought", `<think>x</think>${JSON.stringify(good)}</think>${JSON.stringify(good)}`],
  ["a thought after it", `${JSON.stringify(good)}<think>x</think>`],
  ["two objects", `${JSON.stringify(good)}\n${JSON.stringify(good)}`],
  ["a list", JSON.stringify([good])],
  ["nothing", ""],
  ["null", "null"],
  ["a field too few", json({ summary: undefined })],
  ["a field too many", json({ all_pages: true })],
  ["a text for the flag", json({ meaningful: "true" })],
  ["a number for the flag", json({ meaningful: 1 })],
  ["too much confidence", json({ confidence: 1.01 })],
  ["negative confidence", json({ confidence: -0.1 })],
  ["confidence in words", json({ confidence: "high" })],
  ["confidence of null", json({ confidence: null })],
  ["an empty reason", json({ reason: " \n" })],
  ["a list for the summary", json({ summary: ["a"] })],
  ["an endless summary", json({ summary: "a".repeat(601) })],
  ["an endless answer", `${" ".repeat(8000)}${JSON.stringify(good)}`],
])("no verdict: %s", (_, answer) => {
  expect(readVerdict(answer)).toBeNull();
});
