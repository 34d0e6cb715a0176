import { objectIn, readAnswer } from "../../../../services/scraper/model/model-answer.ts";
import { failureOf } from "../../../../services/scraper/model/model-failure.ts";

const completion = (message: object, finish = "stop") =>
  JSON.stringify({
    choices: [{ index: 0, message: { role: "assistant", ...message }, finish_reason: finish }],
  });
const stream = (...events: object[]) =>
  [...events.map(event => `data: ${JSON.stringify(event)}`), "data: [DONE]"].join("\n\n");
const delta = (content: string) => ({ choices: [{ index: 0, delta: { content } }] });

test.each<[string, string, string]>([
  ["a text", completion({ content: "hi" }), "hi"],
  [
    "parts",
    completion({
      content: [
        { type: "text", text: "h" },
        { type: "text", text: "i" },
      ],
    }),
    "hi",
  ],
  [
    "parts with thoughts",
    completion({
      content: [
        { type: "thinking", text: "Hm." },
        { type: "text", text: "hi" },
      ],
    }),
    "hi",
  ],
  ["thoughts in a field of their own", completion({ reasoning_content: "Hm.", content: "hi" }), "hi"],
  ["thoughts before the text", completion({ content: "<think>Maybe {no}.</think>\nhi" }), "\nhi"],
  ["thoughts whose tag the server left out", completion({ content: "Maybe.</think>hi" }), "hi"],
  ["a text that speaks of thoughts", completion({ content: '{"a":"</think>"}' }), '{"a":"</think>"}'],
  ["a stream", stream(delta("h"), delta("i"), { choices: [{ delta: {}, finish_reason: "stop" }] }), "hi"],
  ["a stream with events of its own", `: ping\n\nevent: x\n${stream(delta("hi"))}`, "hi"],
  [
    "Anthropic's form",
    JSON.stringify({ type: "message", content: [{ type: "text", text: "hi" }], stop_reason: "end_turn" }),
    "hi",
  ],
  [
    "Anthropic's stream",
    stream(
      { type: "message_start", message: {} },
      { type: "content_block_delta", delta: { type: "text_delta", text: "hi" } },
      { type: "message_delta", delta: { stop_reason: "end_turn" } },
    ).replace("data: [DONE]", ""),
    "hi",
  ],
])("reads %s", (_, body, text) => expect(readAnswer(body)).toBe(text));

test.each<[string, string, string]>([
  ["HTML of a gateway", "<html><h1>502</h1></html>", "broken"],
  ["an error in place of an answer", JSON.stringify({ error: { message: "sk-secret" } }), "broken"],
  ["no choices", "{}", "broken"],
  ["an empty text", completion({ content: " " }), "empty"],
  ["no text", completion({ content: null }), "empty"],
  ["an answer that was cut", completion({ content: '{"a":' }, "length"), "cut"],
  [
    "a cut answer of Anthropic",
    JSON.stringify({ content: [{ type: "text", text: "{" }], stop_reason: "max_tokens" }),
    "cut",
  ],
  ["thoughts without an end", completion({ content: "<think>Maybe" }), "cut"],
  ["a stream that was cut", stream(delta("h"), { choices: [{ delta: {}, finish_reason: "length" }] }), "cut"],
  ["a refusal in its field", completion({ content: null, refusal: "I cannot." }), "refused"],
  ["a filter", completion({ content: "" }, "content_filter"), "refused"],
  ["a refusal of Anthropic", JSON.stringify({ content: [], stop_reason: "refusal" }), "refused"],
])("takes no answer from %s", (_, body, reason) => {
  const read = () => readAnswer(body);
  expect(read).toThrow();
  try {
    read();
  } catch (error) {
    expect(failureOf(error)?.reason).toBe(reason);
    expect(String(error)).not.toContain("sk-secret");
  }
});

test.each<[string, string, unknown]>([
  ["alone", '{"a":1}', { a: 1 }],
  ["in a fence", 'Here:\n```json\n{"a":{"b":"}"}}\n```\nDone {ok}.', { a: { b: "}" } }],
  ["behind braces", 'The {json} is: {"a":1}', { a: 1 }],
  ["none", "no", undefined],
  ["a list", "[1]", undefined],
  ["broken", '{"a":', undefined],
])("finds the object: %s", (_, answer, value) => expect(objectIn(answer)).toEqual(value));
