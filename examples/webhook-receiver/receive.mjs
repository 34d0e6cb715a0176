/** Receives webhooks, verifies them as Standard Webhooks says, and prints a line for each event. Needs Node 18 or later. */
import { createHmac, timingSafeEqual } from "node:crypto";
import { createServer } from "node:http";

const secret = process.env.WEBHOOK_SECRET;
if (!secret) {
  console.error("Set WEBHOOK_SECRET to the secret that POST /webhook answered with (whsec_…).");
  process.exit(1);
}

/** The ids of the last events: delivery is at least once. A real receiver keeps them in its database. */
const seen = new Set();
const remembered = 10_000;

const server = createServer(async (request, response) => {
  try {
    const body = await readBody(request);
    if (!isGenuine(request.headers, body)) return response.writeHead(401).end();
    // Answer within 5 seconds, and do the work afterwards.
    response.writeHead(204).end();
    for (const event of eventsOf(JSON.parse(body))) handle(event);
  } catch (error) {
    console.error(error);
    if (!response.headersSent) response.writeHead(500).end();
  }
});
server.listen(Number(process.env.PORT ?? 4000), "127.0.0.1", () =>
  console.log(`receiving on http://127.0.0.1:${server.address().port}/`),
);

function handle(event) {
  if (seen.has(event.id)) return;
  seen.add(event.id);
  if (seen.size > remembered) seen.delete(seen.values().next().value);
  console.log(`${event.timestamp} ${event.type} ${event.data.source?.name ?? ""}`);
}

/** An endpoint with the option `batch` gets several events in one request. */
function eventsOf(body) {
  return body.type === "batch" ? body.events : [body];
}

/** True when one of the signatures is ours, and the request is not older than five minutes. */
function isGenuine(headers, body) {
  const { "webhook-id": id, "webhook-timestamp": timestamp, "webhook-signature": signatures } = headers;
  if (!id || !signatures || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= 300)) return false;
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const expected = createHmac("sha256", key).update(`${id}.${timestamp}.`).update(body).digest();
  return signatures.split(" ").some(signature => {
    const given = Buffer.from(signature.replace("v1,", ""), "base64");
    return given.length === expected.length && timingSafeEqual(given, expected);
  });
}

async function readBody(request) {
  const chunks = [];
  for await (const chunk of request) chunks.push(chunk);
  return Buffer.concat(chunks);
}
