import { fail, invalid } from "../../../services/contracts/errors.ts";
import { isUnavailable, refusal, retryAfterMs } from "../../../services/tracker/connectors.ts";
import { decisionPollMs } from "../../../services/tracker/joins/step-join.ts";

const second = 1000;
const hour = 3600 * second;

test.each([
  [0, second],
  [3 * second, second],
  [4 * second, second],
  [60 * second, 15 * second],
  [4 * hour, hour],
  [6 * 24 * hour, hour],
])("after %d ms it is looked again in %d ms", (passed, pause) => {
  expect(decisionPollMs(passed)).toBe(pause);
});

test.each([
  ["an unknown invite", fail("not_found", "No such invite."), "No such invite."],
  ["one that means nothing", invalid("sid", "malformed", "That is no invite."), "That is no invite."],
  ["a key's limit", fail("forbidden", "As many as allowed."), "As many as allowed."],
  ["too many requests", fail("rate_limited", "Later."), null],
  ["a deadline", fail("request_timeout", "Too slow."), null],
  ["a platform that is away", fail("connector_unavailable", "Away."), null],
  ["a fault of ours", new Error("broken"), null],
])("%s is final or not", (_, error, sentence) => {
  expect(refusal(error)).toBe(sentence);
});

test.each([
  ["away, with a time", fail("connector_unavailable", "Away.", { retry_after: 7 }), true, 7000],
  ["away", fail("connector_unavailable", "Away."), true, 0],
  ["a service that is not there", Object.assign(new Error("gone"), { type: "SERVICE_NOT_FOUND" }), true, 0],
  ["a stranger's wish", Object.assign(new Error("x"), { data: { retry_after: 7 } }), false, 0],
  ["no time at all", fail("connector_unavailable", "Away.", { retry_after: -1 }), true, 0],
  ["nothing", undefined, false, 0],
])("absence: %s", (_, error, absent, ms) => {
  expect([isUnavailable(error), retryAfterMs(error)]).toEqual([absent, ms]);
});
