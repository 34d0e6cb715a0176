import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { IScaledObject } from "@kubernetes-models/keda/keda.sh/v1alpha1";
import { HorizontalPodAutoscaler, type IHorizontalPodAutoscaler } from "kubernetes-models/autoscaling/v2";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1";
import { PodDisruptionBudget } from "kubernetes-models/policy/v1";
import { ConfigMap, Secret, Service } from "kubernetes-models/v1";
import { toConfig } from "../../mixins/config/config.ts";
import { readEnv } from "../../mixins/config/env.ts";
import { routes } from "../../services/api/routes/routes.ts";
import { isPublicAddress, parseAllowList } from "../../services/domain/url/address-policy.ts";
import {
  containersOf,
  ofKind,
  policiesOf,
  servicesOf,
  settingsOf,
  variablesOf,
  type Workload,
  workloadsOf,
} from "./installation.ts";
import { mayReach } from "./reach.ts";
import { type Manifest, overlays, render } from "./render.ts";

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const drainSeconds = 25;

/** Folder of each service -> whether it speaks to the outside, by way of the guard. */
const folders = new Map(
  globSync("services/*/*.service.ts", { cwd: root }).map(path => [
    path.split("/")[1] ?? "",
    /\begressMixin\(/.test(read(path)),
  ]),
);

const known = new Set(Object.keys(readEnv(new Proxy({}, { get: () => "set" }))));
const urls: Record<string, string> = {
  NATS_URL: "nats://nats:4222",
  REDIS_URL: "redis://redis:6379",
  MONGO_URL: "mongodb://mongodb:27017/magpie",
};
const isSecret = (name: string) =>
  /(_KEY|_SECRET|_TOKEN|_PASSWORD|_HASH|(?<!TRUSTED_)PROXIES|(NATS|REDIS|MONGO)_URL)$/.test(name);

/** Of docs/scale.md: cores and nodes for each service that it counts. */
const example = new Map(
  [...read("docs/scale.md").matchAll(/^\| ([\w-]+) \| [^|]+ \| ([\d.]+) \| (\d+) \|$/gm)].map(
    ([, folder = "", cores, nodes]) => [folder, { cores: Number(cores), nodes: Number(nodes) }],
  ),
);

/** Ingresses and routes of each overlay. */
const waysIn = { dev: [0, 0], production: [1, 0], "gateway-api": [0, 1] };

const folderOf = (workload: Workload) =>
  variablesOf(workload).find(({ name }) => name === "SERVICES")?.value ?? "";
const names = (workloads: Workload[]) => workloads.map(({ name }) => name).sort();

test("there is something to judge", () => {
  expect(known.size).toBeGreaterThan(40);
  expect([...folders.values()].filter(Boolean)).toHaveLength(4);
  expect([...example.keys()].filter(folder => folders.has(folder))).toHaveLength(6);
});

describe.each(overlays)("%s", overlay => {
  const manifests: Manifest[] = render(overlay);
  const workloads = workloadsOf(manifests);
  const services = servicesOf(manifests);
  const policies = policiesOf(manifests);

  test("every service is one pool", () => {
    expect(services.map(folderOf).sort()).toEqual([...folders.keys()].sort());
  });

  test.each(workloads.map(workload => [workload.name, workload] as const))(
    "%s is confined",
    (_name, { spec, ...workload }) => {
      expect(spec).toMatchObject({
        automountServiceAccountToken: false,
        enableServiceLinks: false,
        securityContext: { runAsNonRoot: true, seccompProfile: { type: "RuntimeDefault" } },
      });
      expect(spec.securityContext?.runAsUser).toBeGreaterThan(0);
      expect(Object.keys(spec).filter(key => /^host/.test(key))).toEqual([]);
      const kinds = (spec.volumes ?? []).flatMap(({ name: _volume, ...source }) => Object.keys(source));
      expect(kinds.filter(kind => kind !== "emptyDir")).toEqual([]);
      for (const { emptyDir } of spec.volumes ?? []) expect(emptyDir?.sizeLimit).toBeDefined();
      for (const container of containersOf({ spec, ...workload })) {
        expect(container.securityContext).toMatchObject({
          allowPrivilegeEscalation: false,
          readOnlyRootFilesystem: true,
          capabilities: { drop: ["ALL"] },
        });
        expect(Object.keys(container.securityContext ?? {})).not.toContain("privileged");
        expect(container.image).toMatch(/:\d+\.\d+\.\d+[^:]*$/);
        for (const what of ["requests", "limits"] as const)
          expect(Object.keys(container.resources?.[what] ?? {}).sort()).toEqual([
            "cpu",
            "ephemeral-storage",
            "memory",
          ]);
      }
    },
  );

  test.each(services.map(service => [service.name, service] as const))(
    "%s is watched, and has time to drain",
    (_name, { service, spec }) => {
      const [container] = spec.containers;
      const ports = container?.ports?.map(({ name }) => name);
      const probes = {
        live: container?.livenessProbe,
        start: container?.startupProbe,
        ready: container?.readinessProbe,
      };
      expect(probes.live?.httpGet).toEqual({ path: "/health/live", port: "health" });
      expect(probes.start?.httpGet).toEqual({ path: "/health/live", port: "health" });
      expect(probes.ready?.httpGet).toEqual({ path: "/health/ready", port: "health" });
      expect([...(ports ?? [])].sort()).toEqual(service === "api" ? ["health", "http"] : ["health"]);
      const pause = container?.lifecycle?.preStop?.sleep?.seconds ?? 0;
      expect(spec.terminationGracePeriodSeconds).toBeGreaterThan(pause + drainSeconds);
      expect(spec.topologySpreadConstraints).toHaveLength(2);
    },
  );

  test.each(services.map(service => [service.name, service] as const))(
    "%s is told what the program knows, secrets by reference",
    (_name, service) => {
      const variables = variablesOf(service);
      const settings = settingsOf(service, manifests);
      const all = [...variables.map(({ name }) => name), ...Object.keys(settings)];
      expect(all.filter(name => !known.has(name))).toEqual([]);
      expect(new Set(all).size).toBe(all.length);
      expect(Object.keys(settings).filter(isSecret)).toEqual([]);
      const plain = variables.filter(({ valueFrom }) => !valueFrom?.secretKeyRef).map(({ name }) => name);
      expect(plain.filter(isSecret)).toEqual([]);
      const given = variables.flatMap(({ name, value, valueFrom }) =>
        valueFrom?.secretKeyRef?.optional ? [] : [[name, value ?? urls[name] ?? "a secret of 16 or more"]],
      );
      expect(() => toConfig(readEnv({ ...settings, ...Object.fromEntries(given) }))).not.toThrow();
    },
  );

  test("what a service need not know it is not told", () => {
    const holders = (secret: string) =>
      services
        .filter(service =>
          variablesOf(service).some(({ valueFrom }) => valueFrom?.secretKeyRef?.key === secret),
        )
        .map(({ service }) => service);
    expect(holders("ADMIN_KEY")).toEqual(["api"]);
    expect(holders("BOOTSTRAP_API_KEY")).toEqual(["keys"]);
    expect(holders("MASTER_SECRET")).toEqual(["connectors", "keys", "webhook-dispatcher"]);
    // Those whose requests name Magpie, and the gateway, which publishes the keys.
    expect(holders("BOT_IDENTITY")).toEqual([
      "api",
      "connectors",
      "crawler",
      "scraper",
      "webhook-dispatcher",
    ]);
    expect(holders("DISCORD_BOT_TOKEN")).toEqual(["connectors"]);
    expect(holders("REDIS_URL")).toHaveLength(services.length);
  });

  test("every secret that is named is there, or on the page that says how to make it", () => {
    const page = read("docs/operations/kubernetes.md");
    const kept = ofKind(manifests, Secret.is).flatMap(({ metadata, stringData, data }) =>
      Object.keys({ ...stringData, ...data }).map(key => `${metadata?.name}/${key}`),
    );
    const wanted = services.flatMap(variablesOf).flatMap(({ valueFrom }) => valueFrom?.secretKeyRef ?? []);
    expect(wanted.length).toBeGreaterThan(20);
    const missing = wanted.filter(({ name, key, optional }) => !optional && !kept.includes(`${name}/${key}`));
    if (overlay === "dev") expect(missing).toEqual([]);
    else expect(kept).toEqual([]);
    expect(wanted.filter(({ key }) => !page.includes(key))).toEqual([]);
  });

  test("each service has one disruption budget of its own", () => {
    const chosen = ofKind(manifests, PodDisruptionBudget.is).map(({ spec }) => {
      expect(spec?.maxUnavailable).toBe(1);
      return selectedBy(workloads, spec?.selector?.matchLabels);
    });
    expect(chosen.every(each => each.length === 1)).toBe(true);
    expect(names(chosen.flat())).toEqual(names(services));
  });

  test("the pools that grow are there, each grows by one rule, and no apply sets it back", () => {
    const scaled = (manifests as { kind: string; spec?: { scaleTargetRef?: { name: string } } }[])
      .filter(({ kind }) => /^(HorizontalPodAutoscaler|ScaledObject)$/.test(kind))
      .map(({ spec }) => spec?.scaleTargetRef?.name);
    const expected = overlay !== "dev" ? names(services) : [];
    expect(scaled.sort()).toEqual(expected);
    const fixed = services.filter(({ replicas }) => replicas !== undefined);
    expect(names(fixed)).toEqual(overlay !== "dev" ? [] : names(services));
    for (const { spec } of ofKind(manifests, HorizontalPodAutoscaler.is))
      expect(spec?.minReplicas).toBeGreaterThanOrEqual(2);
  });

  test("a pool grows where its nodes use what the scale page counts with and they request, far enough for its example", () => {
    const pools = [...ofKind(manifests, HorizontalPodAutoscaler.is).map(byCpu), ...scaledBy(manifests)];
    expect(pools.map(({ name }) => name).sort()).toEqual(overlay !== "dev" ? names(services) : []);
    for (const { name, cores, most } of pools) {
      const service = services.find(each => each.name === name);
      const { requests } = service?.spec.containers[0]?.resources ?? {};
      const { cores: needed, nodes } = example.get(service ? folderOf(service) : "") ?? {
        cores: 0,
        nodes: 2,
      };
      expect([name, Math.max(2, Math.ceil(needed / cores))]).toEqual([name, nodes]);
      expect(most * cores).toBeGreaterThanOrEqual(1.5 * needed);
      if (service?.service !== "admin") expect([name, coresOf(requests?.cpu)]).toEqual([name, cores]);
    }
  });

  test("a node requests more memory than it has when it idles", () => {
    const idleMi = 140;
    for (const { spec } of services)
      expect(Number.parseInt(String(spec.containers[0]?.resources?.requests?.memory), 10)).toBeGreaterThan(
        idleMi,
      );
  });

  test("pools that grow by figures read those of their own installation, and no answer is none", () => {
    const asked = scaledObjects(manifests).flatMap(({ metadata, spec }) =>
      (spec?.triggers ?? [])
        .filter(({ type }) => type === "prometheus")
        .map(({ metadata: query }) => ({ query, namespace: metadata?.namespace })),
    );
    expect(asked).toHaveLength(overlay !== "dev" ? 2 : 0);
    for (const { query, namespace } of asked) {
      expect(query).toMatchObject({ ignoreNullValues: "false" });
      expect(query.query).toContain(`namespace="${namespace}"`);
    }
  });

  test("where pools grow by figures every node is asked for them", () => {
    const monitors = manifests.filter(({ kind }) => kind === "PodMonitor") as unknown as PodMonitor[];
    expect(monitors).toHaveLength(overlay !== "dev" ? 1 : 0);
    for (const { spec } of monitors) {
      const chosen = selectedBy(workloads, spec.selector.matchLabels);
      expect(names(chosen)).toEqual(names(services));
      expect(spec.podMetricsEndpoints).toMatchObject([{ port: "health", path: "/metrics" }]);
    }
  });

  test("services find pods, and ports that these have", () => {
    const services = ofKind(manifests, Service.is);
    expect(services.length).toBeGreaterThan(0);
    for (const { spec } of services) {
      const [workload, ...others] = selectedBy(workloads, spec?.selector);
      expect(others).toEqual([]);
      const ports = workload?.spec.containers.flatMap(({ ports }) => ports?.map(({ name }) => name) ?? []);
      for (const { targetPort } of spec?.ports ?? []) expect(ports).toContain(targetPort);
    }
  });

  test("the settings hold no secret, and no config map is left over", () => {
    const used = services.flatMap(({ spec }) =>
      spec.containers.flatMap(({ envFrom }) => envFrom?.map(({ configMapRef }) => configMapRef?.name) ?? []),
    );
    // Those with this label are Grafana's.
    const maps = ofKind(manifests, ConfigMap.is).filter(
      ({ metadata }) => metadata?.labels?.grafana_dashboard === undefined,
    );
    expect(maps.map(({ metadata }) => metadata?.name).filter(name => !used.includes(name))).toEqual([]);
  });

  const outside = ["1.1.1.1", "93.184.215.14", "168.63.129.17", "2606:4700:4700::1111"];
  const refused = [
    ...[
      "169.254.169.254",
      "169.254.170.2",
      "fd00:ec2::254",
      "168.63.129.16",
      "100.100.100.200",
      "192.0.0.192",
    ],
    ...["10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.254", "192.168.1.1", "127.0.0.1", "0.0.0.0"],
    ...["100.64.0.1", "198.18.0.1", "224.0.0.1", "240.0.0.1", "255.255.255.255", "192.0.2.1", "203.0.113.9"],
    ...[
      "::1",
      "::ffff:10.0.0.1",
      "64:ff9b::a00:1",
      "fe80::1",
      "fc00::1",
      "2002:a00:1::",
      "2001:db8::1",
      "3fff::1",
    ],
  ];

  test("the addresses of these tests are what the guard takes them for", () => {
    expect(outside.filter(address => !isPublicAddress(address))).toEqual([]);
    expect(refused.filter(isPublicAddress)).toEqual([]);
  });

  test.each(workloads.map(workload => [workload.name, workload] as const))(
    "%s reaches the internet only with a guard, and no private address ever",
    (_name, workload) => {
      const reached = (addresses: string[]) =>
        addresses.flatMap(address =>
          [80, 443, 8443]
            .filter(port => mayReach(policies, workload, { address, port }))
            .map(port => `${address} ${port}`),
        );
      const guarded = folders.get(folderOf(workload)) ?? false;
      expect(reached(outside)).toHaveLength(guarded ? 3 * outside.length : 0);
      expect(reached(refused)).toEqual([]);
    },
  );

  test("services reach names and backends, and one another over these only", () => {
    const dns = { namespace: "kube-system", labels: { "k8s-app": "kube-dns" }, port: 53 };
    const backends = ["nats", "redis", "mongodb"].map((name, at) => {
      const port = [4222, 6379, 27017][at] ?? 0;
      const pod = workloads.find(each => each.name === name);
      return pod ? { ...pod, port } : { address: "10.1.2.3", port };
    });
    expect(backends.filter(backend => "address" in backend)).toHaveLength(overlay === "dev" ? 0 : 3);
    for (const service of services) {
      expect([dns, ...backends].filter(target => !mayReach(policies, service, target))).toEqual([]);
      for (const port of ["http", "health"])
        expect(services.filter(other => mayReach(policies, service, { ...other, port }))).toEqual([]);
    }
    for (const backend of workloads.filter(({ service }) => service === undefined))
      for (const port of ["http", "health"])
        expect(workloads.filter(other => mayReach(policies, backend, { ...other, port }))).toEqual([]);
  });

  test("the proxy before it reaches the gateway, Prometheus every service, and others nobody", () => {
    const proxies = overlay === "gateway-api" ? "gateway-system" : "ingress-nginx";
    const from = (namespace: string, port: string) =>
      services
        .filter(service => mayReach(policies, { namespace, labels: {} }, { ...service, port }))
        .map(({ service }) => service);
    expect([from(proxies, "http"), from(proxies, "health")]).toEqual([["api"], []]);
    expect(from("monitoring", "health")).toHaveLength(services.length);
    expect([from("default", "http"), from("default", "health")]).toEqual([[], []]);
  });

  test("who a client is is known behind the ingress, which passes what the gateway takes", () => {
    const ingresses = ofKind(manifests, Ingress.is);
    for (const { metadata } of ingresses) {
      const size = metadata?.annotations?.["nginx.ingress.kubernetes.io/proxy-body-size"] ?? "1m";
      const mostOfRoutes = Math.max(
        1024 * 1024,
        ...routes.map(({ raw, upload }) => Math.max(raw?.maxBytes ?? 0, upload?.maxBytes ?? 0)),
      );
      expect(Number.parseInt(size, 10) * 1024 * 1024).toBeGreaterThan(mostOfRoutes);
      const settings = ofKind(manifests, ConfigMap.is).map(({ data }) => data?.TRUSTED_PROXIES ?? "");
      const { trustedProxies } = toConfig({ TRUSTED_PROXIES: settings.join("") });
      const trusted = parseAllowList(trustedProxies);
      for (const pod of ["10.244.1.7", "172.20.3.4", "192.168.9.9", "100.64.5.6", "fd12:3456::7"])
        expect(trusted.hasAddress(pod)).toBe(true);
      expect(trusted.hasAddress("203.0.113.7")).toBe(false);
    }
    const httpRoutes = manifests.filter(({ kind }) => kind === "HTTPRoute");
    expect([ingresses.length, httpRoutes.length]).toEqual(waysIn[overlay]);
  });

  test("a pod that nobody has thought of reaches nothing, and nothing reaches it", () => {
    const stranger = { namespace: services[0]?.namespace ?? "", labels: { app: "stranger" } };
    const targets = [
      ...outside.map(address => ({ address, port: 443 })),
      ...services.flatMap(service => ["http", "health"].map(port => ({ ...service, port }))),
    ];
    expect(targets.filter(target => mayReach(policies, stranger, target))).toEqual([]);
    const other = { namespace: "default", labels: {} };
    expect(mayReach(policies, other, { ...stranger, port: 80 })).toBe(false);
  });
});

interface Pool {
  name: string | undefined;
  /** Of a node, where the pool grows. */
  cores: number;
  most: number;
}

function byCpu({ spec }: IHorizontalPodAutoscaler): Pool {
  const cores = coresOf(spec?.metrics?.[0]?.resource?.target.averageValue);
  return { name: spec?.scaleTargetRef.name, cores, most: spec?.maxReplicas ?? 0 };
}

function scaledBy(manifests: Manifest[]): Pool[] {
  return scaledObjects(manifests).map(({ spec }) => {
    const cpu = spec?.triggers.find(({ type }) => type === "cpu");
    const cores = cpu?.metricType === "AverageValue" ? coresOf(cpu.metadata.value) : Number.NaN;
    return { name: spec?.scaleTargetRef.name, cores, most: spec?.maxReplicaCount ?? 0 };
  });
}

function scaledObjects(manifests: Manifest[]): IScaledObject[] {
  return manifests.filter(({ kind }) => kind === "ScaledObject") as unknown as IScaledObject[];
}

function coresOf(quantity: string | number | undefined): number {
  const text = String(quantity);
  return text.endsWith("m") ? Number.parseInt(text, 10) / 1000 : Number(text);
}

/** What is read of one here. */
interface PodMonitor {
  spec: { selector: { matchLabels: Record<string, string> }; podMetricsEndpoints: object[] };
}

function selectedBy(workloads: Workload[], labels: Record<string, string> = {}): Workload[] {
  return workloads.filter(workload =>
    Object.entries(labels).every(([key, value]) => workload.labels[key] === value),
  );
}
