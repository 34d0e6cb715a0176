import { Readable } from "node:stream";
import { Errors, type ServiceSchema } from "moleculer";
import type { Route } from "../../services/api/route.ts";
import { action, actions, type CallMeta, handle } from "../../services/contracts/action.ts";
import { type ErrorCode, errorStatus, fail } from "../../services/contracts/errors.ts";

type Json = Record<string, unknown>;

const echo = action<Json, unknown>("probe.echo", {});
const strict = action<{ n: number; flag?: boolean; list?: string[] }, unknown>("probe.strict", {
  $$strict: true,
  n: { type: "number", integer: true, min: 1 },
  flag: { type: "boolean", optional: true },
  list: { type: "array", items: "string", optional: true },
});
const refuse = action<{ code: string }, unknown>("probe.refuse", { code: "string" });
const breaks = action<{ how: string }, unknown>("probe.break", { how: "string" });
const hold = action<Json, unknown>("probe.hold", {});
const bytes = action<{ size: string; broken?: string }, Readable>("probe.bytes", {});
const leak = action<Json, unknown>("probe.leak", {});
const absent = action<Json, unknown>("absent.room", {});

const common = { auth: "none", status: 200, tag: "Web", summary: "A probe" } as const;
const ok = { 200: { description: "It answers." } };

/** Rows that reach every behaviour of a room that a gateway must cope with. */
export const probeRoutes: Route[] = [
  { ...common, method: "GET", path: "/probe/echo", action: echo, auth: "key", responses: ok },
  { ...common, method: "POST", path: "/probe/echo", action: echo, responses: ok },
  { ...common, method: "PATCH", path: "/probe/echo/{id}", action: echo, responses: ok },
  { ...common, method: "GET", path: "/probe/strict", action: strict, responses: ok },
  { ...common, method: "GET", path: "/probe/refuse/{code}", action: refuse, responses: ok },
  {
    ...common,
    method: "GET",
    path: "/probe/break/{how}",
    action: breaks,
    responses: ok,
    timeoutMs: () => 100,
  },
  { ...common, method: "GET", path: "/probe/absent", action: absent, responses: ok },
  { ...common, method: "GET", path: "/probe/either", action: echo, auth: "either", responses: ok },
  { ...common, method: "POST", path: "/probe/locked", action: echo, auth: "key", responses: ok },
  {
    ...common,
    method: "GET",
    path: "/probe/leak",
    action: leak,
    status: 201,
    responses: { 201: { description: "" }, 202: { description: "" } },
  },
  {
    ...common,
    method: "GET",
    path: "/probe/bytes/{size}",
    action: bytes,
    responses: { 200: { description: "", type: "image/png" } },
  },
  {
    ...common,
    method: "POST",
    path: "/probe/hold",
    action: hold,
    auth: "key",
    concurrency: "concurrentScrapes",
    responses: ok,
  },
];

/** What the probe's actions have seen, and how those that wait are let go. */
export interface Probe {
  schema: ServiceSchema;
  calls: { name: string; params: unknown; caller: string | undefined }[];
  held: (() => void)[];
  /** The same for answers that come too late. */
  late: (() => void)[];
}

/** A room on the real bus that answers, refuses, breaks and waits on demand. */
export function probeRoom(): Probe {
  const probe: Omit<Probe, "schema"> = { calls: [], held: [], late: [] };
  const saw = (name: string, params: unknown, meta: CallMeta) => {
    probe.calls.push({ name, params, caller: meta.caller?.owner });
  };
  const schema: ServiceSchema = {
    name: "probe",
    actions: actions(
      handle(echo, "published", ({ params, meta }) => {
        saw("echo", params, meta);
        return { params, owner: meta.caller?.owner ?? null };
      }),
      handle(strict, "published", ({ params }) => ({ params })),
      handle(refuse, "published", ({ params }) => {
        throw fail(params.code as ErrorCode, `Refused: ${params.code}.`, extrasOf(params.code as ErrorCode));
      }),
      handle(breaks, "published", ({ params, broker }) =>
        broken(params.how, probe.late, name => broker.call(name)),
      ),
      handle(hold, "published", async ({ params, meta }) => {
        saw("hold", params, meta);
        await new Promise<void>(resolve => probe.held.push(resolve));
        return { held: true };
      }),
      handle(bytes, "published", ({ params }) => stream(Number(params.size), params.broken === "true")),
      handle(leak, "published", ({ params, meta }) => {
        meta.$statusCode = Number(params.status);
        meta.$responseType = "text/html";
        return { leaked: true };
      }),
    ),
  };
  return { schema, ...probe };
}

/** Every code with the extras that belong to it. */
function extrasOf(code: ErrorCode) {
  return errorStatus[code] === 429 || errorStatus[code] === 503 ? { retry_after: 2.2 } : {};
}

const secret = "secret-inside /etc/passwd";

function broken(how: string, late: Probe["late"], callInner: (name: string) => Promise<unknown>): unknown {
  if (how === "throw") throw new Error(secret);
  if (how === "moleculer") throw new Errors.MoleculerError(secret, 418, "TEAPOT", { secret });
  if (how === "internal") throw fail("internal_error", secret);
  if (how === "inner-validation") return callInner(strict.name);
  if (how === "string") throw secret;
  if (how === "timeout") return new Promise<void>(resolve => late.push(resolve));
  return null;
}

function stream(size: number, breaks: boolean): Readable {
  return Readable.from(
    (async function* () {
      for (let sent = 0; sent < size; sent += 1000) yield Buffer.alloc(Math.min(1000, size - sent), 7);
      if (breaks) throw new Error(secret);
    })(),
    { objectMode: false },
  );
}
