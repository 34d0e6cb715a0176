import { markOf, nextWords } from "../../../dashboard/webhook/endpoint-words.ts";

test.each([
  [{ status: "ACTIVE", failures: 0, enabled: true }, "Active", "as events come"],
  [{ status: "ACTIVE", failures: 2, enabled: true }, "Retrying", "as events come"],
  [{ status: "FAILED", failures: 5, enabled: true }, "Failed", "once it is active again"],
  [{ status: "DISABLED", failures: 0, enabled: false }, "Paused", "once it continues"],
  [{ status: "UNCONFIRMED", failures: 0, enabled: true }, "Not confirmed yet", "once its owner agrees"],
] as const)("the endpoint %j is %s and is tried next %s", (webhook, mark, next) => {
  expect([markOf(webhook)[1], nextWords(webhook)]).toEqual([mark, next]);
});
