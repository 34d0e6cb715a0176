import { markOf, nextWords, receiverOf, unitOf } from "../../../dashboard/webhook/endpoint-words.ts";

test.each([
  [{ status: "ACTIVE", failures: 0, enabled: true }, "Active", "as events come"],
  [{ status: "ACTIVE", failures: 2, enabled: true }, "Retrying", "as events come"],
  [{ status: "FAILED", failures: 5, enabled: true }, "Failed", "once it is active again"],
  [{ status: "DISABLED", failures: 0, enabled: false }, "Paused", "once it continues"],
  [{ status: "UNCONFIRMED", failures: 0, enabled: true }, "Not confirmed yet", "once its owner agrees"],
] as const)("the endpoint %j is %s and is tried next %s", (webhook, mark, next) => {
  expect([markOf(webhook)[1], nextWords(webhook)]).toEqual([mark, next]);
});

const url = "https://a.test/";

test.each([
  [{ destination: null, url, format: "standard" }, "URL", "request"],
  [{ destination: null, url, format: "cloudevents" }, "CloudEvents", "request"],
  [{ destination: null, url: "mailto:a@example.org", format: "text" }, "Mail", "mail"],
  [{ destination: { type: "folder" }, url: "file:///shop", format: "standard" }, "Folder", "file"],
  [
    {
      destination: { type: "nats", host: "a", port: 1, tls: true, subject: "s" },
      url: "nats://a/s",
      format: "standard",
    },
    "NATS JetStream",
    "write",
  ],
] as const)("the endpoint %j sends to a %s, in a %s", (webhook, receiver, unit) => {
  expect([receiverOf(webhook), unitOf(webhook)]).toEqual([receiver, unit]);
});
