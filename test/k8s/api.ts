/**
 * `npm run test:k8s-api`: applies each overlay and the chart to a Kubernetes API server with its controllers, without
 * machines, below the strictest pod security and a quota. Prints a line for each check; ends with 1 when one fails.
 */
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { builtByGo, goModule, helm } from "../support/go-program.ts";
import { type ApiServer, eventually, startApiServer } from "./api-server.ts";
import { type Manifest, type Overlay, overlays, render } from "./render.ts";

const root = join(import.meta.dirname, "../..");
/** Where the definitions of foreign kinds are: module, version, checksum, folder, and the files that are needed. */
const definitions = [
  [
    "github.com/kedacore/keda/v2",
    "v2.20.2",
    "h1:SR60v8uIcelbveS8n/1jcl8tLdBBIbHMxmdOHw8tKqA=",
    "config/crd/bases",
    /^keda\.sh_/,
  ],
  [
    "github.com/prometheus-operator/prometheus-operator",
    "v0.85.0",
    "h1:M5xLCLEoaW2IJfnuCwFzzpL+jSVQu3KGT84Pye+fW8s=",
    "example/prometheus-operator-crd",
    /_(podmonitors|prometheusrules)\.yaml$/,
  ],
  [
    "sigs.k8s.io/gateway-api",
    "v1.4.1",
    "h1:NPxFutNkKNa8UfLd2CMlEuhIPMQgDQ6DXNKG9sHbJU8=",
    "config/crd/standard",
    /_(httproutes|gateways|gatewayclasses)\.yaml$/,
  ],
] as const;

let failed = 0;
/** Says a check, with what is wrong where `problems` has text. */
function check(name: string, problems: string): void {
  if (problems) failed += 1;
  console.log(problems ? `not ok ${name}\n${problems}` : `ok ${name}`);
}

const server = await showProgress("Starting a Kubernetes API server", startApiServer);
try {
  console.log(`Kubernetes ${server.version}`);
  await define(server);
  for (const overlay of overlays) await applyOverlay(server, overlay);
  await applyChart(server);
} finally {
  await server.stop();
}
process.exitCode = failed === 0 ? 0 : 1;

/** Kinds of KEDA, of the Prometheus operator and of the Gateway API. */
async function define({ kubectl }: ApiServer): Promise<void> {
  const files: string[] = [];
  for (const [module, version, sum, folder, wanted] of definitions) {
    const source = await goModule(module, version, sum);
    if (source === null) throw new Error(`Go gives no ${module}@${version} with the known checksum.`);
    const own = readdirSync(join(source, folder)).filter(name => wanted.test(name));
    files.push(...own.map(name => join(source, folder, name)));
  }
  const made = kubectl(["apply", "--server-side", ...files.flatMap(file => ["-f", file])]);
  if (made.status !== 0) throw new Error(made.stderr);
  const wait = ["wait", "--for=condition=Established", "crd", "--all", "--timeout=60s"];
  check(`${files.length} definitions of KEDA, Prometheus and the Gateway API`, errorOf(kubectl(wait)));
}

async function applyOverlay(server: ApiServer, overlay: Overlay): Promise<void> {
  const { kubectl } = server;
  const manifests = render(overlay);
  const namespace = manifests.find(({ kind }) => kind === "Namespace")?.metadata.name ?? "";
  const folder = join(root, "k8s/overlays", overlay);
  // The overlay's own namespace has its labels of pod security; the quota asks that each container says what it takes.
  prepare(server, namespace, manifests);
  check(
    `${overlay}: ${manifests.length} documents are applied without a warning`,
    errorOf(kubectl(["apply", "--server-side", "-k", folder])),
  );
  for (const way of ["true", "false"]) {
    const { status, stdout, stderr } = kubectl(["diff", `--server-side=${way}`, "-k", folder]);
    const side = way === "true" ? "server" : "client";
    check(`${overlay}: applied again, nothing differs (${side}-side)`, status === 0 ? "" : stdout + stderr);
  }
  refuseOthers(server, namespace, overlay);
  await runPods(server, namespace, overlay);
  kubectl(["delete", "namespace", namespace, "--wait=false"]);
  await eventually(
    `${namespace} is gone`,
    () => kubectl(["get", "namespace", namespace, "-o", "name"]).status !== 0,
  );
}

/** The chart's documents, into a namespace of the strictest pod security. */
async function applyChart(server: ApiServer): Promise<void> {
  const program = await builtByGo(helm);
  if (program === null) throw new Error("Go builds no Helm here.");
  const namespace = "magpie-chart";
  const chart = join(root, "k8s/chart");
  const values = join(chart, "ci/production-values.yaml");
  const rendered = spawnSync(
    program,
    ["template", "magpie", chart, "-n", namespace, "-f", values, "--kube-version", "1.34.0"],
    { encoding: "utf8" },
  );
  if (rendered.status !== 0) throw new Error(rendered.stderr);
  prepare(server, namespace, []);
  const apply = ["apply", "--server-side", "-n", namespace, "-f", "-"];
  check("chart: it is applied without a warning", errorOf(server.kubectl(apply, rendered.stdout)));
  await runPods(server, namespace, "chart");
}

function prepare({ kubectl }: ApiServer, namespace: string, manifests: Manifest[]): void {
  const own = manifests.find(({ kind }) => kind === "Namespace");
  const restricted = { "pod-security.kubernetes.io/enforce": "restricted" };
  const space = own ?? {
    apiVersion: "v1",
    kind: "Namespace",
    metadata: { name: namespace, labels: restricted },
  };
  const quota = {
    apiVersion: "v1",
    kind: "ResourceQuota",
    metadata: { name: "all", namespace },
    spec: {
      hard: Object.fromEntries(
        ["cpu", "memory", "ephemeral-storage"].flatMap(what => [
          [`requests.${what}`, what === "cpu" ? "100" : "200Gi"],
          [`limits.${what}`, what === "cpu" ? "400" : "400Gi"],
        ]),
      ),
    },
  };
  const made = kubectl(["apply", "--server-side", "-f", "-"], JSON.stringify(list([space, quota])));
  if (made.status !== 0) throw new Error(made.stderr);
}

/** The controls: a privileged pod, and one that does not say what it takes, must be refused. */
function refuseOthers({ kubectl }: ApiServer, namespace: string, overlay: string): void {
  const pod = (name: string, container: object) => ({
    apiVersion: "v1",
    kind: "Pod",
    metadata: { name, namespace },
    spec: { containers: [{ name: "main", image: "example", ...container }] },
  });
  const amount = { cpu: "1", memory: "1Gi", "ephemeral-storage": "1Gi" };
  const resources = { requests: amount, limits: amount };
  const refused = [
    [
      "a privileged pod",
      pod("privileged", { resources, securityContext: { privileged: true } }),
      "PodSecurity",
    ],
    ["a pod without bounds", pod("unbounded", {}), "must specify|PodSecurity|violates"],
  ] as const;
  for (const [what, document, reason] of refused) {
    const { status, stderr } = kubectl(["create", "-f", "-"], JSON.stringify(document));
    const isRefused = status !== 0 && new RegExp(reason).test(stderr);
    check(`${overlay}: ${what} is refused`, isRefused ? "" : `status ${status}: ${stderr}`);
  }
}

/** What the controllers make of the documents: every pod is admitted, each budget and scaler finds its pods. */
async function runPods(server: ApiServer, namespace: string, name: string): Promise<void> {
  const all = () => parse(server, namespace, "pods,deployments,statefulsets,poddisruptionbudgets,hpa");
  const problems = () => {
    const found = all();
    return found.some(({ kind }) => kind === "Pod") ? found.flatMap(unmet) : ["no pod was made"];
  };
  try {
    await eventually("the controllers are done", () => problems().length === 0);
  } catch {
    // What is missing is said below, with the reasons that the controllers gave.
  }
  const events = parse(server, namespace, "events").filter(({ type }) => type === "Warning");
  const told = events.map(({ reason, message }) => `${reason}: ${message}`).filter(isOfInterest);
  const kinds = Object.entries(Object.groupBy(all(), ({ kind }) => kind)).map(
    ([kind, found]) => `${found?.length} ${kind}`,
  );
  check(`${name}: the controllers admit ${kinds.join(", ")}`, [...problems(), ...told].join("\n"));
}

/** Nobody schedules pods here, and nobody measures them. */
function isOfInterest(text: string): boolean {
  return !/FailedScheduling|FailedGetResourceMetric|FailedComputeMetricsReplicas|FailedGetExternalMetric/.test(
    text,
  );
}

function unmet({ kind, metadata, spec, status }: Live): string[] {
  const say = (text: string) => [`${kind} ${metadata.name}: ${text}`];
  if (kind === "Deployment" || kind === "StatefulSet") {
    // The first pod of a set has to be ready before the next one is made.
    const wanted = kind === "StatefulSet" ? 1 : (spec?.replicas ?? 1);
    return (status?.replicas ?? 0) >= wanted ? [] : say(`${status?.replicas ?? 0} of ${wanted} pods`);
  }
  if (kind === "PodDisruptionBudget") return (status?.expectedPods ?? 0) > 0 ? [] : say("it finds no pods");
  if (kind !== "HorizontalPodAutoscaler") return [];
  const able = status?.conditions?.find(({ type }) => type === "AbleToScale");
  return able?.status === "True" ? [] : say(`it finds nothing to scale (${able?.message ?? "not yet"})`);
}

interface Live extends Manifest {
  type?: string;
  reason?: string;
  message?: string;
  spec?: { replicas?: number };
  status?: {
    replicas?: number;
    expectedPods?: number;
    conditions?: { type: string; status: string; message: string }[];
  };
}

function parse({ kubectl }: ApiServer, namespace: string, kinds: string): Live[] {
  const { status, stdout, stderr } = kubectl(["get", kinds, "-n", namespace, "-o", "json"]);
  if (status !== 0) throw new Error(stderr);
  return (JSON.parse(stdout) as { items: Live[] }).items;
}

function list(items: object[]) {
  return { apiVersion: "v1", kind: "List", items };
}

/** What was said beside the results, warnings too; empty when it went well. */
function errorOf({ status, stderr }: { status: number | null; stderr: string }): string {
  return status === 0 ? stderr.trim() : stderr.trim() || `exit code ${status}`;
}
