import { Deployment, type IDeployment, type IStatefulSet, StatefulSet } from "kubernetes-models/apps/v1";
import type { INetworkPolicy } from "kubernetes-models/networking.k8s.io/v1";
import {
  ConfigMap,
  type IConfigMap,
  type IContainer,
  type IEnvVar,
  type IPodSpec,
} from "kubernetes-models/v1";
import type { Pod } from "./reach.ts";
import type { Manifest } from "./render.ts";

/** A Deployment or StatefulSet with what its pods are. */
export interface Workload extends Pod {
  name: string;
  /** The service's name; undefined: none of ours. */
  service?: string;
  replicas?: number;
  spec: IPodSpec;
}

export function ofKind<Kind extends object>(manifests: Manifest[], is: (value: unknown) => value is Kind) {
  return (manifests as unknown[]).filter(is);
}

export function policiesOf(manifests: Manifest[]): INetworkPolicy[] {
  return manifests.filter(({ kind }) => kind === "NetworkPolicy") as unknown as INetworkPolicy[];
}

export function workloadsOf(manifests: Manifest[]): Workload[] {
  const all = [...ofKind(manifests, Deployment.is), ...ofKind(manifests, StatefulSet.is)];
  return all.map(toWorkload);
}

/** The workloads that run services. */
export function servicesOf(manifests: Manifest[]): Workload[] {
  return workloadsOf(manifests).filter(({ service }) => service !== undefined);
}

export function containersOf({ spec }: Workload): IContainer[] {
  return [...(spec.initContainers ?? []), ...spec.containers];
}

/** Variables that stand in the pods themselves. */
export function variablesOf(workload: Workload): IEnvVar[] {
  return containersOf(workload).flatMap(({ env }) => env ?? []);
}

/** Variables that come from the config maps that the pods name. */
export function settingsOf(workload: Workload, manifests: Manifest[]): Record<string, string> {
  const maps = new Map(ofKind(manifests, ConfigMap.is).map(map => [map.metadata?.name, map]));
  const named = containersOf(workload).flatMap(({ envFrom }) => envFrom ?? []);
  const found = named.map(({ configMapRef }) => dataOf(maps, configMapRef?.name, configMapRef?.optional));
  return Object.assign({}, ...found);
}

function toWorkload({ metadata, spec }: IDeployment | IStatefulSet): Workload {
  const labels = spec?.template.metadata?.labels ?? {};
  const { spec: podSpec } = spec?.template ?? {};
  if (!podSpec) throw new Error(`${metadata?.name} has no pods`);
  const isOurs = labels["app.kubernetes.io/name"] === "magpie";
  return {
    name: metadata?.name ?? "",
    namespace: metadata?.namespace ?? "",
    labels,
    spec: podSpec,
    ...(isOurs && { service: labels["app.kubernetes.io/component"] ?? "" }),
    ...(spec?.replicas !== undefined && { replicas: spec.replicas }),
  };
}

function dataOf(maps: Map<unknown, IConfigMap>, name = "", optional = false): Record<string, string> {
  const map = maps.get(name);
  if (!map && !optional) throw new Error(`There is no config map ${name}.`);
  return map?.data ?? {};
}
