import { progress } from "./crawl-schemas.ts";
import { shape, source } from "./schemas.ts";
import { trackJob } from "./social-schemas.ts";

type Json = Record<string, unknown>;

const text = { type: "string" };
const time = { type: "string", format: "date-time" };
const nullableTime = { type: ["string", "null"], format: "date-time" };
const keyId = { ...text, description: "`id` of the key." };
const count = { type: "integer", minimum: 0 };

/** The envelope of lists that go on. */
export const listOf = (items: Json) =>
  shape({
    data: { type: "array", items },
    next_cursor: { type: ["string", "null"], description: "Null at the end." },
    message: text,
  });

export const sourceStanding = extended(source, {
  keys: { ...count, description: "Keys that track it." },
  health: { enum: ["ok", "failing", "gone"] },
  failures: { ...count, description: "Polls that failed since the last good one." },
  polled_at: time,
  due_at: { ...time, description: "When it is polled next." },
});

export const laneStanding = shape({
  key_id: keyId,
  url: text,
  status: { enum: ["ACTIVE", "FAILED"] },
  waiting: { ...count, description: "Events that are still to be delivered." },
  failures: { ...count, description: "In a row." },
  next_attempt_at: { ...nullableTime, description: "Of a failing endpoint." },
});

export const scrapeStanding = shape({
  scrape_id: text,
  key_id: keyId,
  url: text,
  status: { enum: ["pending", "completed", "failed"] },
  started_at: nullableTime,
  ended_at: nullableTime,
});

export const crawlStanding = shape({
  crawl_id: text,
  key_id: keyId,
  url: text,
  status: { enum: ["crawling", "completed", "failed", "cancelled"] },
  progress,
  started_at: time,
  ended_at: nullableTime,
});

export const joinJob = extended(trackJob, {
  key_id: keyId,
  source: { ...text, description: "The kind in upper case." },
  fails_at: { ...time, description: "Unless somebody lets us in before." },
  ended_at: nullableTime,
});

function extended(schema: Json, more: Json): Json {
  const { required, properties } = schema as { required: string[]; properties: Json };
  const optional = Object.keys(properties).filter(name => !required.includes(name));
  return shape({ ...properties, ...more }, optional);
}
