import type { JobNotice } from "../../contracts/webhook.contract.ts";
import { bytesOf, fitJson } from "./fit-json.ts";

const maxBytes = 256 * 1024 - 1;

/** What is sent of a notice: an event of no log. Where it would be 256 KB or more, the longest texts of the job are cut. */
export function noticeBody(id: string, { type, timestamp, job }: JobNotice): string {
  const event = (about: object) => ({ id, type, timestamp, seq: null, data: { source: null, job: about } });
  const whole = JSON.stringify(event(job));
  if (Buffer.byteLength(whole) <= maxBytes) return whole;
  const room = maxBytes - bytesOf(event({ truncated: true }));
  return JSON.stringify(event({ ...(fitJson(job, room) as object), truncated: true }));
}
