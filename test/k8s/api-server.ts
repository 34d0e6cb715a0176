import { execFile, spawnSync } from "node:child_process";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { promisify } from "node:util";
import { showProgress } from "../../mixins/runtime/show-progress.ts";
import { removeFolder } from "../support/folders.ts";
import { freePort, startServer, type TestServer } from "../support/server.ts";
import { findKubectl } from "./kubectl.ts";

/** A Kubernetes without machines: etcd, the API server and the controllers, on 127.0.0.1. */
export interface ApiServer {
  version: string;
  /** What kubectl says. Its exit code is for the caller to judge. */
  kubectl(args: string[], input?: string): { status: number | null; stdout: string; stderr: string };
  stop(): Promise<void>;
}

const source = join(import.meta.dirname, "servers");
const cache = join(import.meta.dirname, "../../node_modules/.cache/magpie");
const programs = ["etcd", "kube-apiserver", "kube-controller-manager"] as const;
const version = /k8s\.io\/kubernetes (v\S+)/.exec(readFileSync(join(source, "go.mod"), "utf8"))?.[1] ?? "";
const buildMs = 3_600_000;
const readyMs = 120_000;
const commandMs = 120_000;
const outputBytes = 64 << 20;

const run = promisify(execFile);

/** Built by Go once beside the dependencies, from sources whose checksums are in go.sum; some five minutes of CPU. */
async function build(): Promise<string> {
  const folder = join(cache, `kubernetes-${version}`);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  const draft = mkdtempSync(join(cache, "building-kubernetes-"));
  try {
    const args = ["build", "-trimpath", "-ldflags=-s -w", "-o", draft, ...programs.map(name => `./${name}`)];
    await showProgress(`Building Kubernetes ${version} and etcd with Go (once)`, () =>
      run("go", args, {
        cwd: source,
        timeout: buildMs,
        maxBuffer: outputBytes,
        env: { ...process.env, CGO_ENABLED: "0" },
      }),
    );
    renameSync(draft, folder);
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  return folder;
}

/** Starts the three programs; rejects with what they say when one of them does not. */
export async function startApiServer(): Promise<ApiServer> {
  const programsFolder = await build();
  const folder = mkdtempSync(join(tmpdir(), "magpie-kubernetes-"));
  const started: TestServer[] = [];
  const stop = async () => {
    for (const server of started.reverse()) await server.stop();
    await removeFolder(folder);
  };
  const start = async (
    name: (typeof programs)[number],
    ready: string,
    args: (port: number, own: string) => string[],
  ) => {
    const binary = { path: join(programsFolder, name), env: {} };
    const server = await startServer({ name, binary, scheme: "https", args, ready });
    started.push(server);
    return server;
  };
  try {
    const files = writeSecrets(folder);
    const peers = `http://127.0.0.1:${await freePort()}`;
    const etcd = await start("etcd", "ready to serve client requests", (port, own) => [
      ...[
        "--data-dir",
        join(own, "etcd"),
        "--listen-peer-urls",
        peers,
        "--initial-advertise-peer-urls",
        peers,
      ],
      ...["--initial-cluster", `default=${peers}`],
      ...["--listen-client-urls", `http://127.0.0.1:${port}`],
      ...["--advertise-client-urls", `http://127.0.0.1:${port}`],
    ]);
    const api = await start("kube-apiserver", "Serving securely", (port, own) => [
      ...[
        `--etcd-servers=http://127.0.0.1:${etcd.port}`,
        "--bind-address=127.0.0.1",
        `--secure-port=${port}`,
      ],
      ...[
        `--cert-dir=${own}`,
        `--token-auth-file=${files.tokens}`,
        "--authorization-mode=RBAC",
        "--allow-privileged",
      ],
      ...[`--service-account-key-file=${files.publicKey}`, `--service-account-signing-key-file=${files.key}`],
      ...[
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-cluster-ip-range=10.96.0.0/16",
      ],
    ]);
    const config = writeConfig(folder, api.url, files.token);
    const kubectl = (args: string[], input?: string) =>
      spawnSync(findKubectl(), [`--kubeconfig=${config}`, ...args], {
        encoding: "utf8",
        timeout: commandMs,
        maxBuffer: outputBytes,
        ...(input !== undefined && { input }),
        env: { ...process.env, HOME: folder, KUBECTL_EXTERNAL_DIFF: "diff -u -N" },
      });
    await eventually("the API server is ready", () => kubectl(["get", "--raw", "/readyz"]).status === 0);
    await start("kube-controller-manager", "Serving securely", (port, own) => [
      ...[`--kubeconfig=${config}`, "--bind-address=127.0.0.1", `--secure-port=${port}`, `--cert-dir=${own}`],
      ...["--leader-elect=false", `--service-account-private-key-file=${files.key}`],
    ]);
    return { version, kubectl, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Keys of this run alone, in its own folder. */
function writeSecrets(folder: string) {
  const token = randomBytes(24).toString("hex");
  const { privateKey, publicKey } = generateKeyPairSync("rsa", {
    modulusLength: 2048,
    publicKeyEncoding: { type: "spki", format: "pem" },
    privateKeyEncoding: { type: "pkcs8", format: "pem" },
  });
  const write = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text, { mode: 0o600 });
    return path;
  };
  return {
    token,
    tokens: write("tokens.csv", `${token},admin,admin,system:masters\n`),
    key: write("service-accounts.key", privateKey),
    publicKey: write("service-accounts.pub", publicKey),
  };
}

function writeConfig(folder: string, server: string, token: string): string {
  const path = join(folder, "kubeconfig");
  const config = {
    apiVersion: "v1",
    kind: "Config",
    "current-context": "test",
    contexts: [{ name: "test", context: { cluster: "test", user: "test" } }],
    // Its certificate was made by itself a second ago, on this machine.
    clusters: [{ name: "test", cluster: { server, "insecure-skip-tls-verify": true } }],
    users: [{ name: "test", user: { token } }],
  };
  writeFileSync(path, JSON.stringify(config), { mode: 0o600 });
  return path;
}

/** Rejects with the name of what did not come true in two minutes. */
export async function eventually(name: string, isTrue: () => boolean): Promise<void> {
  const end = Date.now() + readyMs;
  while (!isTrue()) {
    if (Date.now() > end) throw new Error(`never came true: ${name}`);
    await setTimeout(250);
  }
}
