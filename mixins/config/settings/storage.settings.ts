/** Where large things are kept, and for how long. */
import { baseUrl, integer, longDuration, matching, text } from "../setting-types.ts";
import type { Settings } from "./setting.ts";

const printable = matching(/^[!-~]{1,256}$/, "printable ASCII characters without blanks");

export const storage = {
  EVENT_RETENTION: {
    type: longDuration,
    default: "72h",
    doc: "How long events can be read, replayed and streamed from a position. Those older than 72 hours lie compressed in the blob store ([storage](../operations/storage.md#events-beyond-72-hours)). Attempts to deliver end after 72 hours in any case.",
  },
  AUDIT_RETENTION: {
    type: longDuration,
    default: "400d",
    doc: "How long the [audit log](../operations/administration.md#audit-log) keeps an act.",
  },
  KEEP_DAYS: {
    type: integer(1, 36_500),
    default: "90",
    doc: "Days for which versions, checks and values of sources are kept; `options.keep` of a source may name fewer.",
  },
  KEEP_MB: {
    type: integer(1, 1_000_000),
    default: "200",
    doc: "Megabytes of versions for each API key. Where its sources have more, the oldest versions of the largest ones go.",
  },
  RESULT_RETENTION: {
    type: longDuration,
    default: "24h",
    doc: "How long results of scrapes, crawls and batches can be read after their end, with their pictures.",
  },
  DELIVERY_RETENTION: {
    type: longDuration,
    default: "72h",
    doc: "How long attempts to deliver are listed, with what the endpoint answered.",
  },
  BATCH_RETENTION: {
    type: longDuration,
    default: "7d",
    doc: "How long batches of sources to track, imports, and requests to join a group can be read.",
  },
  USAGE_RETENTION: {
    type: longDuration,
    default: "10y",
    doc: "How long the requests of a key are counted by day.",
  },
  S3_BUCKET: {
    type: matching(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      "the name of a bucket: 3 to 63 small letters, digits, dots and dashes",
    ),
    unset: "`DATA_DIR`, or the cluster's MongoDB",
    doc: "A bucket of S3-compatible storage that exists, for pictures, contents and sealed events. It needs `S3_ACCESS_KEY_ID` and `S3_SECRET_ACCESS_KEY`, on every node of a cluster ([storage](../operations/storage.md)).",
  },
  S3_ENDPOINT: {
    type: baseUrl("http", "s3.example.com"),
    unset: "Amazon's of `S3_REGION`",
    doc: "The server of the bucket. The bucket is named in the path, except where the host's name begins with it.",
  },
  S3_REGION: {
    type: matching(/^[a-z0-9-]{1,64}$/, "small letters, digits and dashes"),
    default: "us-east-1",
    doc: "The region for which requests are signed; many servers take any.",
  },
  S3_PREFIX: {
    type: matching(
      /^([A-Za-z0-9._-]+\/)*[A-Za-z0-9._-]*$/,
      "letters, digits, `.`, `_`, `-`, and `/` between parts",
    ),
    default: "magpie/",
    doc: "Beginning of the name of every object. Installations that share a bucket each need their own.",
  },
  S3_ACCESS_KEY_ID: {
    type: printable,
    unset: "none",
    doc: "The access key: it may list the bucket, and read, write and delete objects.",
  },
  S3_SECRET_ACCESS_KEY: { type: text(), unset: "none", doc: "Its secret. Never logged." },
} satisfies Settings;
