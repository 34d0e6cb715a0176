import { wordsOf } from "../../content/page-context.ts";
import { TextReader } from "../../content/text-odds.ts";
import { spread, textTokens } from "../../content/tokens.ts";

const long = (text: string) => Array.from({ length: 40 }, (_, at) => `${text} ${at}`).join(", ");

const texts = [
  ["English", "Read More about the Lock-Keeper's 3rd gate"],
  ["English with quotes of its own", "“We’ve waited” — for 2 tides…"],
  ["long English", long("The gates were hung on a Sunday")],
  ["one word", "Share"],
  ["no word", "… — 2026"],
  ["a number beside letters", "mp3 42nd ½ ٣ 4K"],
  ["Russian", "Старый шлюз в гавани закрыли в марте"],
  ["Chinese", "港口的旧船闸在三月关闭，因为检查发现"],
  ["Arabic", "أغلق الهويس القديم في الميناء"],
  ["long Greek", long("Η παλιά πύλη του λιμανιού ΕΚΛΕΙΣΕ")],
  ["Turkish, whose lower case is longer", "İSTANBUL İLE İZMİR"],
  ["letters beyond the first plane", "𝐁𝐨𝐥𝐝 words and 𠀋 more"],
] as const;

test.each(texts)("the words of %s have the odds of their tokens", (_, text) => {
  const tokens = [...new Set(textTokens(text))];
  const odds = new Map(tokens.flatMap((token, at) => (at % 3 === 1 ? [] : [[token, (at % 7) - 3.5]])));
  const title = new Set(wordsOf(text).filter((_, at) => at % 2 === 0));
  const description = new Set(wordsOf(text).slice(1, 3));
  const words = wordsOf(text.slice(0, 200));
  const start = tokens.findLast(token => token.startsWith("^"));
  const isBrief = textTokens(text).length < 30;
  const count = (set: Set<string>) => (isBrief ? words.filter(word => set.has(word)).length : 0);
  expect(new TextReader(odds, title, description).read(text, isBrief ? 10 : 61)).toEqual({
    ...spread(textTokens(text), odds),
    start: (start && odds.get(start)) ?? 0,
    words: isBrief ? words.length : 0,
    inTitle: count(title),
    inDescription: count(description),
  });
});
