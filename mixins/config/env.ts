const names = [
  "PATH",
  "PORT",
  "PUBLIC_URL",
  "HOST",
  "DATA_DIR",
  "ADMIN_KEY",
  "MASTER_SECRET",
  "BOOTSTRAP_API_KEY",
  "KEYS_PER_OWNER",
  "EGRESS_ALLOW",
  "POLL_MIN_INTERVAL",
  "BROWSER_PATH",
  "BROWSER_PAGES",
  "BROWSER_QUEUE",
  "BROWSER_RECYCLE_PAGES",
  "BROWSER_MAX_MEMORY_MB",
  "CRAWL_CONCURRENCY",
  "CRAWL_HOST_CONCURRENCY",
  "PROXIES",
  "LLM_BASE_URL",
  "LLM_MODEL",
  "LLM_API_KEY",
  "WEBHOOK_ALLOW_HTTP",
  "WEBHOOK_BACKOFF",
  "LOG_LEVEL",
  "LOG_FORMAT",
] as const;

export type Env = Partial<Record<(typeof names)[number], string>>;

/** The only reader of the environment. A variable that is set to nothing counts as unset. */
export function readEnv(source: NodeJS.ProcessEnv = process.env): Env {
  return Object.fromEntries(names.flatMap(name => (source[name] ? [[name, source[name]]] : [])));
}
