import { oneLine } from "../../../../services/domain/text/one-line.ts";

test.each([
  [" two\r\n\twords ", "two words"],
  ["a\u0000b\u0085c\u2028d\u2029e", "a b c d e"],
  ["no character \ufffe here", "no character here"],
  ["half \ud83d of a pair", "half \ufffd of a pair"],
  ["\n", ""],
])("%j is %j as one line", (text, line) => expect(oneLine(text)).toBe(line));
