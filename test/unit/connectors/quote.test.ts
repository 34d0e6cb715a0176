import { quoteAnswer } from "../../../services/connectors/social/social-connector.ts";

test.each<[unknown, string]>([
  [undefined, "It is refused."],
  ["", "It is refused."],
  [{ detail: "x" }, "It is refused."],
  ["Missing Access", "It is refused: Missing Access."],
  ["Missing Access.", "It is refused: Missing Access."],
  ["two\n  lines\u0000and\u009ba control", "It is refused: two lines and a control."],
  ["long ".repeat(100), `It is refused: ${"long ".repeat(60)}\u2026`],
])("with %j", (answer, sentence) => {
  expect(quoteAnswer("It is refused.", answer)).toBe(sentence);
});
