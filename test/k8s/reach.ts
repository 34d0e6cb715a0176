import ipaddr from "ipaddr.js";
import type {
  INetworkPolicy,
  INetworkPolicyPeer,
  INetworkPolicyPort,
} from "kubernetes-models/networking.k8s.io/v1";

type Labels = Record<string, string>;

/** A pod of a namespace. */
export interface Pod {
  labels: Labels;
  namespace: string;
}

/** Something on a TCP port: a pod, or an address outside of the cluster. */
export type Target = (Pod | { address: string }) & { port: number | string };

interface Selector {
  matchLabels?: Labels;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Whether the policies let a pod open a TCP connection; as Kubernetes does, a pod that none selects may all. */
export function mayReach(policies: INetworkPolicy[], from: Pod, target: Target): boolean {
  const leaves = allowed(policies, from, "Egress", target, target.port);
  return leaves && (!("labels" in target) || allowed(policies, target, "Ingress", from, target.port));
}

function allowed(
  policies: INetworkPolicy[],
  pod: Pod,
  direction: "Ingress" | "Egress",
  peer: Pod | { address: string },
  port: number | string,
): boolean {
  const about = policies.filter(
    ({ metadata, spec }) =>
      metadata?.namespace === pod.namespace &&
      spec?.policyTypes?.includes(direction) &&
      selects(spec.podSelector, pod.labels),
  );
  const rules = about.flatMap(({ metadata, spec }) =>
    direction === "Egress"
      ? (spec?.egress ?? []).map(({ to, ports }) => ({ peers: to, ports, home: metadata?.namespace }))
      : (spec?.ingress ?? []).map(({ from, ports }) => ({ peers: from, ports, home: metadata?.namespace })),
  );
  return (
    about.length === 0 ||
    rules.some(
      ({ peers, ports, home }) =>
        (!peers?.length || peers.some(each => isPeer(each, peer, home ?? ""))) && hasPort(ports, port),
    )
  );
}

function isPeer(
  { ipBlock, podSelector, namespaceSelector }: INetworkPolicyPeer,
  peer: Pod | { address: string },
  home: string,
): boolean {
  if ("address" in peer)
    return (
      ipBlock !== undefined &&
      holds(ipBlock.cidr, peer.address) &&
      !ipBlock.except?.some(range => holds(range, peer.address))
    );
  if (ipBlock) return false;
  const isThere = namespaceSelector
    ? selects(namespaceSelector as Selector, { "kubernetes.io/metadata.name": peer.namespace })
    : peer.namespace === home;
  return isThere && selects(podSelector as Selector | undefined, peer.labels);
}

function selects(selector: Selector | undefined, labels: Labels): boolean {
  const wanted = Object.entries(selector?.matchLabels ?? {});
  return (
    wanted.every(([key, value]) => labels[key] === value) &&
    (selector?.matchExpressions ?? []).every(({ key, operator }) => {
      if (operator !== "Exists") throw new Error(`The operator ${operator} is not known here.`);
      return key in labels;
    })
  );
}

function hasPort(ports: INetworkPolicyPort[] | undefined, port: number | string): boolean {
  if (!ports?.length) return true;
  return ports.some(({ protocol = "TCP", port: first, endPort }) => {
    if (protocol !== "TCP") return false;
    if (first === undefined || first === port) return true;
    return endPort !== undefined && Number(first) <= Number(port) && Number(port) <= endPort;
  });
}

function holds(cidr: string, address: string): boolean {
  const [network, bits] = ipaddr.parseCIDR(cidr);
  const parsed = ipaddr.parse(address);
  return parsed.kind() === network.kind() && parsed.match([network, bits]);
}
