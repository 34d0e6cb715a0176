import { type CloudEvent, HTTP } from "cloudevents";
import { eventExamples } from "../../../../../services/api/openapi/examples.ts";
import { eventTypes } from "../../../../../services/contracts/events.ts";
import {
  binary,
  type CloudEventsMessage,
  structured,
} from "../../../../../services/domain/delivery/formats/cloudevents.ts";

/** What the SDK of CloudEvents reads of a message; it throws for what is not valid. */
function read({ contentType, body, headers }: CloudEventsMessage): CloudEvent[] {
  const events = HTTP.toEvent({ headers: { ...headers, "content-type": contentType }, body });
  return [events as CloudEvent | CloudEvent[]].flat();
}

const [first] = eventTypes;

describe.each(eventTypes)("%s", type => {
  const event = eventExamples[type];
  const json = JSON.stringify(event);
  const expected = {
    ...{ specversion: "1.0", id: event.id, type: `magpie.${type}` },
    ...{ datacontenttype: "application/json", data: event.data },
  };

  test.each([
    ["structured", structured([json], false)],
    ["batch", structured([json], true)],
    ["binary", binary(json)],
  ])("%s", (_, message) => {
    const [made, ...others] = read(message);
    expect(others).toEqual([]);
    expect(made?.validate()).toBe(true);
    expect(made).toMatchObject(expected);
    expect(Date.parse(made?.time ?? "")).toBe(Date.parse(event.timestamp));
  });
});

test("sequences compare as texts, in the order of the log", () => {
  const at = (seq: number) =>
    read(structured([JSON.stringify({ ...eventExamples[first], seq })], false))[0]?.sequence as string;
  expect(at(9) < at(10)).toBe(true);
});

test("headers are escaped, and the SDK reads their attributes", () => {
  const url = 'https://example.com/a?b=%20"é';
  const event = {
    ...eventExamples["rss.item.created"],
    data: { ...eventExamples["rss.item.created"].data, item: { id: "1", title: "é", url } },
  };
  const { headers, body } = binary(JSON.stringify(event));
  expect(Object.values(headers).join("")).toMatch(/^[!-~]*$/);
  expect(headers["ce-subject"]).toBe("https://example.com/a?b=%2520%2522%25C3%25A9");
  expect(JSON.parse(body)).toEqual(event.data);
});
