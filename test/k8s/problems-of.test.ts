import { problemsOf } from "./problems-of.ts";

const container = { name: "a", image: "a:1", securityContext: { readOnlyRootFilesystem: true } };
const deployment = (changes: object, inContainer: object = {}) => ({
  apiVersion: "apps/v1",
  kind: "Deployment",
  metadata: { name: "a", labels: { any: "thing" }, annotations: { "a/b": "c" } },
  spec: {
    selector: { matchLabels: { any: "thing" } },
    template: {
      metadata: { labels: { any: "thing" } },
      spec: { containers: [{ ...container, ...inContainer }] },
    },
    ...changes,
  },
});
const scaled = (spec: object) => ({
  apiVersion: "keda.sh/v1alpha1",
  kind: "ScaledObject",
  metadata: { name: "a" },
  spec: { scaleTargetRef: { name: "a" }, triggers: [{ type: "cpu", metadata: { value: "70" } }], ...spec },
});

const monitor = (endpoint: object) => ({
  apiVersion: "monitoring.coreos.com/v1",
  kind: "PodMonitor",
  metadata: { name: "a" },
  spec: { selector: { matchLabels: { any: "thing" } }, podMetricsEndpoints: [{ port: "a", ...endpoint }] },
});

test.each([
  ["a sound document", deployment({ replicas: 2 }), []],
  ["a quantity as a number", deployment({}, { resources: { limits: { cpu: 2 } } }), []],
  ["a sound document of KEDA", scaled({ minReplicaCount: 2 }), []],
  ["a sound document of the Prometheus Operator", monitor({ path: "/metrics", interval: "15s" }), []],
  [
    "an unknown field of the Prometheus Operator",
    monitor({ timeout: "5s" }),
    ["/spec/podMetricsEndpoints/0/timeout is unknown to PodMonitor"],
  ],
  ["a wrong type", deployment({ replicas: "2" }), [expect.stringContaining("/spec/replicas")]],
  ["a missing field", deployment({ selector: undefined }), [expect.stringContaining("selector")]],
  ["an unknown field", deployment({ replica: 2 }), ["/spec/replica is unknown to Deployment"]],
  [
    "an unknown field deep inside",
    deployment({}, { securityContext: { readOnlyRootFilesytem: true } }),
    ["/spec/template/spec/containers/0/securityContext/readOnlyRootFilesytem is unknown to Deployment"],
  ],
  ["an unknown field of KEDA", scaled({ minReplicas: 2 }), ["/spec/minReplicas is unknown to ScaledObject"]],
  ["an unknown kind", { ...deployment({}), kind: "Deploiment" }, ["there is no Deploiment in apps/v1"]],
  ["an unknown group", { ...deployment({}), apiVersion: "apps/v9" }, ["there is no Deployment in apps/v9"]],
])("%s", async (_name, document, problems) => {
  expect(await problemsOf(document)).toEqual(problems);
});
