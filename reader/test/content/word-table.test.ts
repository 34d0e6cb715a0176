import { hashWith, noHash, WordTable } from "../../content/word-table.ts";

const find = (table: WordTable, text: string, start = 0, end = text.length) => {
  const codes = Uint16Array.from(text, character => character.charCodeAt(0));
  return table.find(codes, start, end, codes.subarray(start, end).reduce(hashWith, noHash));
};

test("words have their places, others have none", () => {
  const words = Array.from({ length: 100 }, (_, at) => `word${at * 7}`).concat("шлюз", "a");
  const table = new WordTable(words);
  expect(words.map(word => find(table, word))).toEqual(words.map((_, at) => at));
  expect(["word1", "word", "word00", "b", "шлю", ""].map(word => find(table, word))).toEqual(
    Array(6).fill(-1),
  );
});

test("a word is found within a text", () => {
  expect(find(new WordTable(["lock", "gate"]), "the gates", 4, 8)).toBe(1);
});

test("words of one hash are told apart", () => {
  const table = new WordTable(["Aa", "BB"]);
  expect(["Aa", "BB", "AaAa"].map(word => find(table, word))).toEqual([0, 1, -1]);
  expect(find(new WordTable(["Aa"]), "BB")).toBe(-1);
});
