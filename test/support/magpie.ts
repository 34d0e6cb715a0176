import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker, type ServiceSchema } from "moleculer";
import { type Config, toConfig } from "../../mixins/config/config.ts";
import { brokerOptions } from "../../moleculer.config.ts";
import { type ApiOptions, apiService } from "../../services/api/api.service.ts";
import { keysService } from "../../services/keys/keys.service.ts";
import { removeFolder } from "./folders.ts";

export interface Reply {
  status: number;
  headers: Headers;
  text: string;
  /** The body as JSON, in the shape that the test expects of it. */
  json<Body = Record<string, unknown>>(): Body;
}

export interface RequestOptions {
  body?: unknown;
  headers?: Record<string, string>;
  /** An API key; null for none. The first key unless told. */
  key?: string | null;
  admin?: boolean;
}

export interface Magpie {
  url: string;
  apiKey: string;
  adminKey: string;
  broker: ServiceBroker;
  request(method: string, path: string, options?: RequestOptions): Promise<Reply>;
  stop(): Promise<void>;
}

export const apiKey = "test-api-key-0123456789";
export const adminKey = "test-admin-key-0123456789-0123456789";

type Services = ServiceSchema[] | ((config: Config) => ServiceSchema[]);

/** The gateway and the given services (the real keys service unless told) in this process, on a free port and a fresh folder. */
export async function startMagpie(
  overrides: Partial<Config> = {},
  services: Services = config => [keysService(config)],
  options: ApiOptions = {},
): Promise<Magpie> {
  const dataDir = await mkdtemp(join(tmpdir(), "magpie-"));
  const config: Config = {
    ...toConfig({}),
    // Nothing is warmed ahead: most tests need neither a browser nor a thread that reads pages.
    scraperIdleMs: 59_000,
    port: 0,
    dataDir,
    adminKey,
    bootstrapApiKey: apiKey,
    ...overrides,
  };
  const broker = new ServiceBroker({
    ...brokerOptions(config),
    logger: false,
    skipProcessEventRegistration: true,
  });
  const api = broker.createService(apiService(config, options)) as unknown as { address: string };
  for (const service of typeof services === "function" ? services(config) : services)
    broker.createService(service);
  const stop = async () => {
    await broker.stop();
    await removeFolder(dataDir);
  };
  try {
    await broker.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const url = api.address;
  await askWithoutEnd(url);
  return { url, apiKey, adminKey, broker, stop, request: (...args) => request(url, ...args) };
}

/**
 * Frees the first key of its rate limit: a test that waits asks again and again, and more often than keys may on a machine
 * where many short waits follow one another. Where there are no keys, or others, it does nothing.
 */
export async function askWithoutEnd(url: string): Promise<void> {
  const listed = await request(url, "GET", "/internal/keys", { admin: true });
  if (listed.status !== 200) return;
  const [first] = listed.json<{ data: { id: string }[] }>().data;
  const body = { limits: { requestsPerMinute: 1_000_000 } };
  if (first) await request(url, "PATCH", `/internal/keys/${first.id}`, { admin: true, body });
}

/** A request as a client sends it, with the keys of the tests. */
export async function request(
  url: string,
  method: string,
  path: string,
  { body, headers = {}, key = apiKey, admin = false }: RequestOptions = {},
): Promise<Reply> {
  const response = await fetch(url + path, {
    method,
    signal: AbortSignal.timeout(60_000),
    redirect: "manual",
    headers: {
      ...(key === null || admin ? {} : { "x-api-key": key }),
      ...(admin ? { "x-admin-key": adminKey } : {}),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
      ...headers,
    },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
}
