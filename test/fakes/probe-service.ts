import { Readable } from "node:stream";
import { Errors, type ServiceSchema } from "moleculer";
import type { Route } from "../../services/api/routes/route.ts";
import { action, actions, handle } from "../../services/contracts/action.ts";
import type { CallMeta } from "../../services/contracts/caller.ts";
import { type ErrorCode, errorStatus, fail } from "../../services/contracts/errors.ts";
import { keyScopes } from "../../services/contracts/key-scopes.ts";
import { list, text, unchecked } from "../../services/contracts/schema.ts";

const anything = { params: {}, ignoreUnknown: true, result: { type: "any" } } as const;

const echo = action("probe.echo", anything);
const strict = action("probe.strict", {
  params: {
    n: { type: "number", integer: true, min: 1 },
    flag: { type: "boolean", optional: true },
    list: { ...list(text), optional: true },
  },
  result: { type: "any" },
});
const refuse = action("probe.refuse", { ...anything, params: { code: text } });
const breaks = action("probe.break", { ...anything, params: { how: text } });
const hold = action("probe.hold", anything);
const bytes = action("probe.bytes", { ...anything, result: unchecked<Readable>() });
const leak = action("probe.leak", anything);
const absent = action("absent.service", anything);

const common = { auth: "none", status: 200, tag: "Web", summary: "A probe" } as const;
const ok = { 200: { description: "It answers." } };

/** Rows that reach every behaviour of a service that a gateway must cope with. */
export const probeRoutes: Route[] = [
  {
    ...common,
    name: "readProbeEcho",
    method: "GET",
    path: "/probe/echo",
    action: echo,
    auth: "key",
    scopes: keyScopes,
    responses: ok,
  },
  { ...common, name: "sendProbeEcho", method: "POST", path: "/probe/echo", action: echo, responses: ok },
  {
    ...common,
    name: "changeProbeEcho",
    method: "PATCH",
    path: "/probe/echo/{id}",
    action: echo,
    responses: ok,
  },
  { ...common, name: "readProbeStrict", method: "GET", path: "/probe/strict", action: strict, responses: ok },
  {
    ...common,
    name: "readProbeRefuse",
    method: "GET",
    path: "/probe/refuse/{code}",
    action: refuse,
    responses: ok,
  },
  {
    ...common,
    name: "readProbeBreak",
    method: "GET",
    path: "/probe/break/{how}",
    action: breaks,
    responses: ok,
    timeoutMs: () => 100,
  },
  { ...common, name: "readProbeAbsent", method: "GET", path: "/probe/absent", action: absent, responses: ok },
  {
    ...common,
    name: "readProbeEither",
    method: "GET",
    path: "/probe/either",
    action: echo,
    auth: "either",
    scopes: keyScopes,
    responses: ok,
  },
  {
    ...common,
    name: "sendProbeLocked",
    method: "POST",
    path: "/probe/locked",
    action: echo,
    auth: "key",
    scopes: keyScopes,
    responses: ok,
  },
  {
    ...common,
    name: "readProbeLeak",
    method: "GET",
    path: "/probe/leak",
    action: leak,
    status: 201,
    responses: { 201: { description: "" }, 202: { description: "" } },
  },
  {
    ...common,
    name: "readProbeBytes",
    method: "GET",
    path: "/probe/bytes/{size}",
    action: bytes,
    responses: { 200: { description: "", type: "image/png" } },
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

/** A service on the real bus that answers, refuses, breaks and waits on demand. */
export function probeService(): Probe {
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
      handle(bytes, "published", ({ params }) => {
        const { size, broken } = params as { size?: string; broken?: string };
        return stream(Number(size), broken === "true");
      }),
      handle(leak, "published", ({ params, meta }) => {
        meta.$statusCode = Number((params as { status?: string }).status);
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
