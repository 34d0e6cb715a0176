import { resolve } from "node:path";
import type { Config } from "../../mixins/config/config.ts";
import { credentialsPath } from "../../mixins/config/credentials.ts";
import type { Readiness } from "./http/health.ts";

const maxMissing = 3;

/** The start banner: what an operator needs to know first, in at most 12 lines and without secrets. */
export function banner(config: Config, address: string, { missing }: Readiness): string[] {
  const reachable = address.replace("//0.0.0.0:", "//127.0.0.1:").replace("//[::]:", "//[::1]:");
  return [
    "",
    `Magpie listens on ${reachable}, ${config.dashboard ? `dashboard: ${reachable}/dashboard, ` : ""}guide: ${reachable}/guide`,
    platformLine(config),
    ...keyLines(config),
    "Try it:",
    `  ${curlLine(config, reachable)}`,
    ...missing
      .slice(0, maxMissing)
      .map(({ service, name, detail }) => `Missing: ${service}/${name}: ${detail ?? "see the log"}`),
    ...(missing.length > maxMissing ? [`More is missing: ${reachable}/health/ready`] : []),
    "",
  ];
}

/** The networks behind each platform; simulated ones are marked. */
function platformLine({ social: { microblog, chatserver, messenger } }: Config): string {
  const named = Object.entries({ microblog, chatserver, messenger }).map(
    ([platform, networks]) => `${platform}: ${networks.map(({ driver }) => driver).join(" and ")}`,
  );
  const isSimulated = [...microblog, ...chatserver, ...messenger].some(({ driver }) => driver === "sandbox");
  return `Platforms: ${named.join(", ")}${isSimulated ? " (sandbox: simulated)" : ""}`;
}

function keyLines(config: Config): string[] {
  const isKept = config.cluster === undefined;
  const kept = [
    ...(config.adminKey || !isKept ? [] : ["admin key (adminKey)"]),
    ...(config.bootstrapApiKey || !isKept ? [] : ["first API key (bootstrapApiKey)"]),
  ];
  const given = [
    ...(config.adminKey ? ["ADMIN_KEY"] : []),
    ...(config.bootstrapApiKey ? ["BOOTSTRAP_API_KEY"] : []),
  ];
  return [
    ...(kept.length ? [`Kept in ${resolve(credentialsPath(config))}: ${kept.join(", ")}`] : []),
    ...(given.length ? [`From the environment: ${given.join(", ")}`] : []),
  ];
}

/** Works when pasted into sh. It reads the key from its file, so the key appears neither here nor in the history. */
function curlLine(config: Config, address: string): string {
  const isGiven = config.bootstrapApiKey !== undefined || config.cluster !== undefined;
  const key = isGiven ? "$BOOTSTRAP_API_KEY" : `$(node -p ${quoted(readKey(config))})`;
  return (
    `curl -s ${address}/web/scrape -H "x-api-key: ${key}" ` +
    `-H 'content-type: application/json' -d '{"url":"https://example.com"}'`
  );
}

function readKey(config: Config): string {
  return `require(${JSON.stringify(resolve(credentialsPath(config)))}).bootstrapApiKey`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
