import { type LogEvent, logEvent, logEventSections, logEvents } from "../../../mixins/log/log-events.ts";
import { filesWith } from "../../architecture/product.ts";

const names = Object.keys(logEvents);
const isTable = (file: string) => file.startsWith("mixins/log/");

test("names are `noun.verb` in the past, and a failure is `failed` or `refused`", () => {
  const wrong = names.filter(
    name =>
      !/^[a-z]+(_[a-z]+)*\.([a-z]+ed|sent|timed_out)$/.test(name) ||
      /not_|broken|trouble|fault|hindered|unreadable|fell/.test(name),
  );
  expect(wrong).toEqual([]);
});

test("no name is in two sections", () => {
  const listed = Object.values(logEventSections).flatMap(section => Object.keys(section));
  expect(listed.sort()).toEqual([...names].sort());
});

test("every event of the table is logged somewhere", () => {
  const unused = names.filter(
    name => filesWith(new RegExp(`"${name.replace(".", "\\.")}"`), isTable).length === 0,
  );
  expect(unused).toEqual([]);
});

test("the product logs by the table only", () => {
  const direct = /(?:[lL]ogger|getLogger\([^)]*\))\s*\??\.\s*(?:debug|info|warn|error|fatal|trace)\(/;
  expect(filesWith(direct, isTable)).toEqual([]);
});

test("the level comes from the table", () => {
  const lines: unknown[] = [];
  const take =
    (level: string) =>
    (...line: unknown[]) =>
      void lines.push([level, ...line]);
  logEvent({ error: take("error") }, "request.failed", { status: 500 });
  logEvent({ info: take("info") }, "session.opened");
  expect(lines).toEqual([
    ["error", "request.failed", { status: 500 }],
    ["info", "session.opened", {}],
  ]);
});

test("an unknown name and a logger without the level do not compile", () => {
  const take = () => undefined;
  // @ts-expect-error No such event.
  const unknown: LogEvent = "request.exploded";
  // @ts-expect-error Its level is `error`.
  expect(() => logEvent({ warn: take }, "request.failed")).toThrow("not a function");
  expect(Object.hasOwn(logEvents, unknown)).toBe(false);
});
