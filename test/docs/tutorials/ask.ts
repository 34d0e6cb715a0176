import { until } from "../../support/until.ts";
import type { Service } from "../service.ts";

/** Asks a service with the key of a tutorial; fails where it refuses. */
export async function ask<Answer>(service: Service, apiKey: string, path: string): Promise<Answer> {
  const response = await fetch(service.url + path, { headers: { "x-api-key": apiKey } });
  const answer = await response.json();
  if (!response.ok) throw new Error(`${path}: ${JSON.stringify(answer)}`);
  return answer as Answer;
}

/** The source that a key tracks; it is the latest where there are several. */
export async function sourceOf(service: Service, apiKey: string): Promise<string> {
  const { data } = await ask<{ data: { id: string }[] }>(service, apiKey, "/track");
  return data[0]?.id ?? "";
}

interface Check {
  outcome: string;
  reason: string;
}

/** Waits until a check of the source that the key tracks has this reason. */
export async function untilChecked(service: Service, apiKey: string, reason: string): Promise<void> {
  const id = await sourceOf(service, apiKey);
  let checks: Check[] = [];
  await until(`a check says: ${reason}`, async () => {
    checks = (await ask<{ data: Check[] }>(service, apiKey, `/sources/${id}/checks`)).data;
    return checks.some(each => each.reason.includes(reason));
  }).catch(cause => {
    throw new Error(`No check says "${reason}": ${JSON.stringify(checks)}`, { cause });
  });
}

/** Waits until a service has read a page: its first one takes long on a busy machine, longer than a poll may. */
export async function untilReads(service: Service, url: string): Promise<void> {
  const headers = { "x-api-key": service.apiKey, "content-type": "application/json" };
  const body = JSON.stringify({ url, timeout: 60_000 });
  await until("a page is read", async () => {
    const response = await fetch(`${service.url}/web/scrape`, { method: "POST", headers, body });
    return response.status === 200;
  });
}
