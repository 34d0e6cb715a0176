import {
  emptyLog,
  fits,
  headline,
  type LiveEvent,
  mostKept,
  pause,
  proceed,
  withEvents,
} from "../../../dashboard/events/event-log.ts";

const event = (seq: number, data: Partial<LiveEvent["data"]> = {}, type = "rss.item.created"): LiveEvent => ({
  id: `evt_${seq}`,
  type,
  timestamp: "2026-01-01T00:00:00.000Z",
  seq,
  data: { source: null, ...data },
});
const run = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, at) => event(from + at));
const seqs = (events: readonly LiveEvent[] = []) => events.map(({ seq }) => seq);

test("the newest event comes first", () => {
  const log = withEvents(withEvents(emptyLog, run(1, 2)), run(3, 4));
  expect(seqs(log.events)).toEqual([4, 3, 2, 1]);
  expect(log.total).toBe(4);
});

test("the log keeps the newest events and counts all", () => {
  const log = withEvents(withEvents(emptyLog, run(1, 400)), run(401, 900));
  expect(log.events).toHaveLength(mostKept);
  expect([log.events[0]?.seq, log.events.at(-1)?.seq]).toEqual([900, 401]);
  expect(log.total).toBe(900);
});

test("a paused log changes only the count of waiting events", () => {
  const paused = withEvents(pause(withEvents(emptyLog, run(1, 2))), run(3, 5));
  expect(seqs(paused.events)).toEqual([2, 1]);
  expect(paused.waitingCount).toBe(3);
  expect(seqs(pause(paused).waiting)).toEqual([5, 4, 3]);
});

test("a continued log shows the waiting events once", () => {
  const log = proceed(withEvents(pause(withEvents(emptyLog, run(1, 2))), run(3, 5)));
  expect(seqs(log.events)).toEqual([5, 4, 3, 2, 1]);
  expect([log.waiting, log.waitingCount]).toEqual([undefined, 0]);
  expect(seqs(withEvents(log, run(6, 6)).events)).toEqual([6, 5, 4, 3, 2, 1]);
});

test("an event that comes again after a break is there once", () => {
  const log = withEvents(withEvents(emptyLog, run(1, 3)), run(2, 4));
  expect([seqs(log.events), log.total]).toEqual([[4, 3, 2, 1], 4]);
  expect(seqs(withEvents(withEvents(pause(log), run(5, 6)), run(4, 7)).waiting)).toEqual([7, 6, 5]);
});

test("the count includes waiting events that are no longer kept", () => {
  const log = withEvents(pause(emptyLog), run(1, 700));
  expect(log.waitingCount).toBe(700);
  expect(proceed(log).events).toHaveLength(mostKept);
});

const source = { id: "7e0d", source: "RSS", name: "The Harbour", username: "example.com" };

test.each([
  ["", "", true],
  ["rss.item.created", "", true],
  ["rss.item.updated", "", false],
  ["", "harb", true],
  ["", "rss", true],
  ["", "EXAMPLE.com", true],
  ["", "7e0d", true],
  ["", "nobody", false],
  ["rss.item.updated", "harb", false],
])("the filters type %j and source %j take an event: %j", (type, text, expected) => {
  expect(fits(event(1, { source }), { type, source: text })).toBe(expected);
});

test("an event without a source matches no source", () => {
  expect(fits(event(1), { type: "", source: "x" })).toBe(false);
});

test.each<[string, Partial<LiveEvent["data"]>, string]>([
  ["the title of an entry", { item: { title: " Boats \n are in ", content_text: "no" } }, "Boats are in"],
  ["the text of an entry without a title", { item: { title: "", content_text: "Text" } }, "Text"],
  ["the text of a post", { post: { legacy: { full_text: "Post" } } }, "Post"],
  ["a chat message", { message: { content: "Chat" } }, "Chat"],
  ["a messenger message", { message: { text: "Message" } }, "Message"],
  ["the title of a page", { change: { title: "Prices" } }, "Prices"],
  ["a reason", { reason: "It answers 500." }, "It answers 500."],
  [
    "the address of an entry with nothing else",
    { item: { url: "https://example.com" } },
    "https://example.com",
  ],
  ["what the judge says", { judgement: { summary: "Fares rise" }, page: { title: "Fares" } }, "Fares rise"],
  ["the title of a site's page", { page: { title: "Start", url: "https://example.com/" } }, "Start"],
  ["the title of a result", { result: { title: "Crows", url: "https://example.org/" } }, "Crows"],
  ["a line that came to a whole site", { change: { added: ["We move"], removed: [] } }, "We move"],
  ["what a round has found", { check: { visited: 9, added: 2, changed: 0, removed: 1 } }, "2 new, 1 gone"],
  ["that a round has found nothing", { check: { visited: 9, added: 0 } }, "Nothing has changed"],
  ["nothing", {}, ""],
  ["what is of another type", { item: { title: 5 }, post: "text" }, ""],
])("the headline of an event is %s", (_name, data, expected) => {
  expect(headline(event(1, data))).toBe(expected);
});

test("a long headline is cut", () => {
  expect(headline(event(1, { reason: "x".repeat(1000) }))).toHaveLength(301);
});
