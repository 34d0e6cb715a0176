import { countWords } from "../../html/plain-text.ts";

describe("words of a text", () => {
  test.each([
    ["nothing", "", 0],
    ["white space", " \n\t ", 0],
    ["words", "The lantern is  lit.\nAgain.", 5],
    ["joined words", "don't state-of-the-art 1,200 3.5 a/b", 5],
    ["marks alone", "a – b • & | -- c", 3],
    ["accents and other alphabets", "Über größe привет мир مرحبا بالعالم", 6],
    ["Korean", "안녕하세요 세계", 2],
    ["Chinese", "我们今天去学校。", 4],
    ["Japanese", "東京は日本の首都です", 6],
    ["Thai", "ภาษาไทย", 2],
    ["mixed", "Node 24 在 Linux 上运行", 6],
  ])("%s", (_, text, expected) => {
    expect(countWords(text)).toBe(expected);
  });

  test("long runs without spaces count as the same text with spaces does, but for their seams", () => {
    const sentence = "我们今天去学校。";
    const once = countWords(sentence);
    expect(Math.abs(countWords(sentence.repeat(5000)) - 5000 * once)).toBeLessThan(100);
  });
});
