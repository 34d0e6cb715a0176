import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { findRenderer } from "./kubectl.ts";

/** A document as Kustomize renders it. */
export interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string; namespace?: string; labels?: Record<string, string> };
}

export const overlays = ["dev", "production", "gateway-api"] as const;
export type Overlay = (typeof overlays)[number];

const root = join(import.meta.dirname, "..", "..");
const deadlineMs = 30_000;

/** Throws with what Kustomize says, also when it only warns. */
export function render(overlay: Overlay): Manifest[] {
  const [program, command] = findRenderer();
  const { status, stdout, stderr } = spawnSync(program, [command, join(root, "k8s", "overlays", overlay)], {
    encoding: "utf8",
    timeout: deadlineMs,
    maxBuffer: 64 << 20,
  });
  if (status !== 0 || stderr !== "") throw new Error(`${program} ${command} ${overlay}: ${stderr}`);
  return parseManifests(stdout);
}

function parseManifests(text: string): Manifest[] {
  return parseAllDocuments(text).map(document => {
    if (document.errors.length > 0) throw new Error(document.errors.map(String).join("\n"));
    return document.toJS() as Manifest;
  });
}
