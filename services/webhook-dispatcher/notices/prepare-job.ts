import { admitEndpoint } from "../admit-endpoint.ts";
import { checkHeaders } from "./check-headers.ts";
import { ensureSecret } from "./job-secret.ts";
import type { NoticeRoom } from "./room.ts";

/** Whether a job's notices can go where they are wanted; the secret that signs them, when it is new. */
export async function prepareJob(
  room: NoticeRoom,
  { keyId, url, headers = {} }: { keyId: string; url: string; headers?: Record<string, string> },
): Promise<{ secret?: string }> {
  admitEndpoint(room, url, "webhook.url");
  checkHeaders(headers);
  return await ensureSecret(room, keyId);
}
