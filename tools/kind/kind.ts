/**
 * `node tools/kind/kind.ts overlay|chart`, with a kind cluster in `kubectl`'s context: builds the images, applies the dev
 * overlay, or the chart in its place beside the overlay's servers, waits for every pool, and asks the service.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";

const root = join(import.meta.dirname, "../..");
const namespace = "magpie-dev";
// The dev overlay's and the chart's ci/dev-values.yaml; good for nothing else.
const key = "dev-only-api-key-000";
const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"));

const run = (program: string, ...args: string[]) =>
  execFileSync(program, args, { cwd: root, stdio: ["ignore", "inherit", "inherit"] });

const [way] = process.argv.slice(2);
if (way === "overlay") applyOverlay();
else if (way === "chart") applyChart();
else throw new Error("Say `overlay` or `chart`.");
run("kubectl", "-n", namespace, "rollout", "status", "deployment", "--timeout=300s");
await ask();

function applyOverlay(): void {
  for (const target of ["magpie", "magpie-browser"]) {
    run(
      "docker",
      "build",
      "-f",
      "k8s/image/Dockerfile",
      "--target",
      target,
      "-t",
      `${target}:${version}`,
      ".",
    );
    run("kind", "load", "docker-image", `${target}:${version}`);
  }
  run("kubectl", "apply", "--server-side", "-k", "k8s/overlays/dev");
  for (const server of ["nats", "redis", "mongodb"])
    run("kubectl", "-n", namespace, "rollout", "status", `statefulset/${server}`, "--timeout=300s");
}

/** The overlay's pools, policies and secrets go; its servers stay. */
function applyChart(): void {
  const ofOverlay = ["deployments", "poddisruptionbudgets", "serviceaccounts", "services"];
  run("kubectl", "-n", namespace, "delete", ofOverlay.join(","), "-l", "app.kubernetes.io/component");
  run("kubectl", "-n", namespace, "delete", "networkpolicy", "deny-all", "to-backends");
  const values = ["--namespace", namespace, "--values", "k8s/chart/ci/dev-values.yaml"];
  run("helm", "upgrade", "--install", "magpie", "k8s/chart", ...values, "--wait", "--timeout", "5m");
}

async function ask(): Promise<void> {
  const forward = spawn("kubectl", ["-n", namespace, "port-forward", "service/magpie-api", ":80"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const url = await addressOf(forward.stdout);
    await expectOf(`${url}/health/ready`, undefined, /"status":"(ready|degraded)"/);
    const page = { url: "https://example.com/", js_render: { enabled: true } };
    await expectOf(`${url}/web/scrape`, page, /Example Domain/);
    await expectOf(`${url}/web/scrape`, { url: "http://10.96.0.1/" }, /url_not_allowed/);
  } finally {
    forward.kill();
    await once(forward, "exit");
  }
}

async function addressOf(output: NodeJS.ReadableStream): Promise<string> {
  for await (const line of createInterface({ input: output })) {
    const address = /^Forwarding from (127\.0\.0\.1:\d+)/.exec(line)?.[1];
    if (address) return `http://${address}`;
  }
  throw new Error("kubectl forwards nothing");
}

async function expectOf(url: string, body: object | undefined, pattern: RegExp): Promise<void> {
  const response = await fetch(url, {
    headers: { "x-api-key": key, "content-type": "application/json" },
    ...(body && { method: "POST", body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!pattern.test(text)) throw new Error(`${url}: ${response.status} ${text.slice(0, 2000)}`);
  console.log(`ok ${url} ${response.status}`);
}
