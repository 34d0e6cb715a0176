import type { IncomingMessage, ServerResponse } from "node:http";
import { type Service, startService } from "../docs/service.ts";
import { type Site, startSite } from "../support/http-site.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { until } from "../support/until.ts";

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  startTimeUnixNano: string;
  endTimeUnixNano: string;
  attributes: { key: string; value: { stringValue: string } }[];
  status: { code: number };
}

interface Export {
  resourceSpans: { resource: { attributes: unknown[] }; scopeSpans: { spans: OtlpSpan[] }[] }[];
}

let collector: Site;
let service: Service;
let receiver: Receiver;
let bodies: string[] = [];
let headers: IncomingMessage["headers"][] = [];
let answer = 200;

beforeAll(async () => {
  collector = await startSite(collect);
  receiver = await startReceiver();
  service = await startService({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_EXPORTER_OTLP_HEADERS: "authorization=Bearer%20collector-secret",
    OTEL_SERVICE_NAME: "harbour",
  });
});

afterAll(async () => {
  await service.stop();
  await collector.close();
  await receiver.close();
});

function collect(request: IncomingMessage, response: ServerResponse): void {
  const chunks: Buffer[] = [];
  request.on("data", chunk => chunks.push(chunk));
  request.on("end", () => {
    if (request.url === "/v1/traces" && answer === 200) {
      bodies.push(Buffer.concat(chunks).toString());
      headers.push(request.headers);
    }
    response.writeHead(request.url === "/v1/traces" ? answer : 404).end("{}");
  });
}

const spans = () =>
  bodies.flatMap(body =>
    (JSON.parse(body) as Export).resourceSpans.flatMap(each => each.scopeSpans.flatMap(scope => scope.spans)),
  );

const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
const callerSpan = "00f067aa0ba902b7";

async function ask(path: string, more: Record<string, string> = {}): Promise<number> {
  const response = await fetch(service.url + path, {
    headers: { "x-api-key": service.apiKey, ...more },
    signal: AbortSignal.timeout(60_000),
  });
  await response.arrayBuffer();
  return response.status;
}

test("the calls of a request are spans of its client's trace, one below the other", async () => {
  expect(await ask("/webhooks", { traceparent: `00-${traceId}-${callerSpan}-01` })).toBe(200);
  const ofTrace = () => spans().filter(span => span.traceId === traceId);
  await until("the spans are exported", () =>
    ["GET /webhooks", "webhook-dispatcher.list"].every(name => ofTrace().some(span => span.name === name)),
  );
  const root = ofTrace().find(span => span.name === "GET /webhooks");
  const inner = ofTrace().find(span => span.name === "webhook-dispatcher.list");
  expect(root?.parentSpanId).toBe(callerSpan);
  expect(inner?.parentSpanId).toBe(root?.spanId);
  expect(BigInt(root?.endTimeUnixNano ?? 0)).toBeGreaterThanOrEqual(BigInt(inner?.endTimeUnixNano ?? 0));
  expect(inner?.status).toEqual({ code: 1 });
  expect(headers.at(-1)?.authorization).toBe("Bearer collector-secret");
  expect(bodies.at(-1)).toContain('"harbour"');
});

test("a request without a trace begins one", async () => {
  const before = new Set(spans().map(span => span.traceId));
  expect(await ask("/webhooks")).toBe(200);
  await until("a trace with both calls", () => {
    const later = spans().filter(span => !before.has(span.traceId));
    const inner = later.find(span => span.name === "webhook-dispatcher.list");
    return later.some(span => span.name === "GET /webhooks" && span.traceId === inner?.traceId);
  });
});

test("what a client does not want recorded is not", async () => {
  const other = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";
  expect(await ask("/webhooks", { traceparent: `00-${other}-${callerSpan}-00` })).toBe(200);
  bodies = [];
  expect(await ask("/webhooks")).toBe(200);
  await until("a later request is exported", () =>
    spans().some(span => span.name === "webhook-dispatcher.list"),
  );
  expect(spans().some(span => span.traceId === other)).toBe(false);
});

test("no span holds a key or an address", async () => {
  expect(await ask("/track/rss/find?query=very-private-words")).toBe(200);
  await until("it is exported", () => spans().some(span => span.name === "tracker.find"));
  const all = bodies.join("");
  expect(all).not.toContain(service.apiKey);
  expect(all).not.toContain("very-private-words");
});

test("a delivery begins a trace, and one that somebody repeats continues theirs", async () => {
  const send = async (method: string, path: string, more: Record<string, string> = {}, body = {}) => {
    const headers = { "x-api-key": service.apiKey, "content-type": "application/json", ...more };
    const response = await fetch(service.url + path, { method, headers, body: JSON.stringify(body) });
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as { data: { id: string }[] };
  };
  const own = { traceparent: `00-${"e".repeat(32)}-${callerSpan}-01` };
  const endpoint = { url: `${receiver.url}/hook?very-private-words` };
  await send("POST", "/webhook", {}, endpoint);
  await send("POST", "/webhook/test");
  await until("it is delivered", () => receiver.received.length === 1);
  const delivered = receiver.received[0]?.headers.traceparent;
  expect(delivered).toMatch(/^00-[\da-f]{32}-[\da-f]{16}-01$/);
  let id: string | undefined;
  await until("it is listed", async () => {
    const response = await fetch(`${service.url}/webhook/deliveries`, {
      headers: { "x-api-key": service.apiKey },
    });
    id = ((await response.json()) as { data: { id: string }[] }).data[0]?.id;
    return id !== undefined;
  });
  await send("POST", `/webhook/deliveries/${id}/retry`, own);
  expect(receiver.received[1]?.headers.traceparent).toMatch(
    new RegExp(`^00-${"e".repeat(32)}-(?!${callerSpan})`),
  );
  await until(
    "both spans are exported",
    () => spans().filter(span => span.name === "deliver webhook").length === 2,
  );
  const retried = spans().find(
    ({ name, traceId }) => name === "deliver webhook" && traceId === "e".repeat(32),
  );
  expect(spans().find(({ spanId }) => spanId === retried?.parentSpanId)?.name).toMatch(
    /^webhook-dispatcher\./,
  );
  expect(bodies.join("")).not.toContain("very-private-words");
});

test("a collector that is away for a while gets what it missed, and no request waits for it", async () => {
  bodies = [];
  headers = [];
  answer = 503;
  for (let n = 0; n < 5; n += 1) expect(await ask("/users/me")).toBe(200);
  answer = 200;
  await until("the spans come", () => spans().filter(span => span.name === "GET /users/me").length >= 5);
});
