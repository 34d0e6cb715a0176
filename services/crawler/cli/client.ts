import { request } from "undici";

const timeoutMs = 60_000;

/** A service, and the key that it is asked with. */
export interface Server {
  url: string;
  key: string;
}

/** Asks the service. Rejects with its own sentence when it refuses. */
export async function ask<Body>(
  { url, key }: Server,
  method: "GET" | "POST" | "DELETE",
  path: string,
  body?: unknown,
): Promise<Body> {
  const { statusCode, body: answer } = await request(url + path, {
    method,
    signal: AbortSignal.timeout(timeoutMs),
    headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (statusCode >= 300) throw new Error(`${statusCode}: ${refusalIn(text)}`);
  return JSON.parse(text) as Body;
}

function refusalIn(text: string): string {
  try {
    const { message, details } = JSON.parse(text) as { message: string; details?: { field: string }[] };
    const fields = (details ?? []).map(({ field }) => field).join(", ");
    return fields === "" ? message : `${message} (${fields})`;
  } catch {
    return text.slice(0, 200);
  }
}
