import { rule } from "./schema.ts";

/** Why an exchange with another server came to no answer, each with its words. */
export const failureClasses = {
  dns: "the name does not resolve",
  not_allowed: "the address is not allowed",
  refused: "the connection was refused",
  unreachable: "no route leads to the address",
  timeout_connect: "no connection in time",
  tls_expired: "the certificate has expired",
  tls_host: "the certificate is for another name",
  tls_other: "the TLS handshake or the certificate failed",
  reset: "the connection broke off",
  timeout_answer: "no complete answer in time",
  malformed: "the answer is not HTTP",
  interrupted: "Magpie ended the exchange",
} as const;
export type FailureClass = keyof typeof failureClasses;

/** Failures of mails: the server refused it, or did not answer. */
const mailFailures = ["smtp", "timeout", "connection", "tls"] as const;

/** Nothing was sent, since the endpoint's own expression makes no body of the event. */
const transformFailure = "transform";

/** Why an attempt to deliver failed. `destination`: what is no URL has refused it; its words are the answer. */
export type DeliveryFailure =
  | FailureClass
  | `status_${number}`
  | (typeof mailFailures)[number]
  | "destination"
  | typeof transformFailure;

/** All but statuses. */
export const deliveryFailures = [
  ...Object.keys(failureClasses),
  ...mailFailures,
  "destination",
  transformFailure,
];

export const deliveryFailure = rule({
  type: "string",
  pattern: `^(${deliveryFailures.join("|")}|status_[1-9]\\d\\d)$`,
  description: `Why it failed. ${listed()} \`status_503\`: it answered with this status. Of a mail: \`smtp\`, \`timeout\`, \`connection\` or \`tls\`. \`destination\`: a folder, bucket or queue has refused it. \`transform\`: the webhook's \`transform\` makes no body of it. Of both, \`answer\` says why.`,
});

function listed(): string {
  return Object.entries(failureClasses)
    .map(([name, words]) => `\`${name}\`: ${words}.`)
    .join(" ");
}
