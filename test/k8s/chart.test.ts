import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseAllDocuments } from "yaml";
import { builtByGo, helm } from "../support/go-program.ts";
import { needs } from "../support/needs.ts";
import { problemsOf } from "./problems-of.ts";
import { type Manifest, type Overlay, render } from "./render.ts";

const chart = join(import.meta.dirname, "../../k8s/chart");
const program = await builtByGo(helm);
const withHelm = needs(program !== null, "Go, which builds Helm");

/** What Helm says of the chart; `values` are the overlay's, and what is set beside them. */
function run([command = "", ...words]: string[], overlay: string, set: string[] = []) {
  const target = ["--kube-version", "1.34.0"];
  const values = ["--values", join(chart, "ci", `${overlay}-values.yaml`)];
  const settings = set.flatMap(each => ["--set", each]);
  return spawnSync(program ?? "", [command, ...words, ...target, ...values, ...settings], {
    encoding: "utf8",
  });
}

function template(overlay: string, set: string[] = [], release = "magpie", namespace = "magpie"): Manifest[] {
  const command = ["template", release, chart, "--namespace", namespace];
  const { status, stdout, stderr } = run(command, overlay, set);
  if (status !== 0) throw new Error(stderr);
  return parseAllDocuments(stdout)
    .map(document => document.toJS() as Manifest | null)
    .filter(document => document !== null);
}

const ofChart = (key: string) =>
  /^(app\.kubernetes\.io\/(instance|managed-by|version)|helm\.sh\/chart|checksum\/\w+)$/.test(key);

/** Lists whose order says nothing; their items have names. */
const unordered = new Set(["env", "ports", "volumes", "volumeMounts"]);

/** A document as both sides would write it: without what only one of them adds, in one order. */
function plain(value: unknown, key = ""): unknown {
  if (Array.isArray(value)) {
    const items = value.map(item => plain(item));
    return unordered.has(key) ? items.toSorted(byName) : items;
  }
  if (typeof value === "string")
    return value.replace(/^(magpie-(?:settings|platforms|backends|credentials))-\w{10}$/, "$1");
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).filter(([name]) => !ofChart(name));
  return Object.fromEntries(entries.map(([name, each]) => [name, plain(each, name)]));
}

function byName(a: unknown, b: unknown): number {
  return (a as { name: string }).name < (b as { name: string }).name ? -1 : 1;
}

/** Documents by kind and name. Their own labels are the chart's, but for one that Grafana reads. */
function byKey(manifests: Manifest[]): Record<string, unknown> {
  const pairs = manifests.map(manifest => {
    const { metadata, ...rest } = plain(manifest) as Manifest;
    const { labels: all = {}, ...named } = metadata;
    const labels = Object.fromEntries(Object.entries(all).filter(([key]) => !key.startsWith("app.")));
    // Names of policies say whose they are: another release may be beside it.
    const name =
      manifest.kind === "NetworkPolicy" ? named.name.replace(/^(magpie-)?/, "magpie-") : named.name;
    return [`${manifest.kind} ${name}`, { ...rest, metadata: { ...named, name, labels } }] as const;
  });
  expect(new Set(pairs.map(([key]) => key)).size).toBe(pairs.length);
  return Object.fromEntries(pairs);
}

/** What an overlay has and the chart has not: Helm makes namespaces by itself, and the servers are for trying out. */
function isLeftOut({ kind, metadata }: Manifest): boolean {
  const ofServers = /^(nats|redis|mongodb|backends)$/.test(metadata.name);
  return kind === "Namespace" || ofServers;
}

withHelm.describe("the chart", () => {
  test.each(["dev", "production"])("passes `helm lint` with the values of %s", overlay => {
    const { status, stdout } = run(["lint", "--strict", chart], overlay);
    expect([status, stdout]).toEqual([0, expect.stringContaining("1 chart(s) linted, 0 chart(s) failed")]);
  });

  test.each<[Overlay, string, string[]]>([
    ["dev", "dev", []],
    ["production", "production", []],
    [
      "gateway-api",
      "production",
      ["ingress.enabled=false", "gateway.enabled=true", "networkPolicy.from={gateway-system}"],
    ],
  ])("renders what k8s/overlays/%s does, but for names and labels", (overlay, values, set) => {
    const expected = byKey(render(overlay).filter(each => !isLeftOut(each)));
    const namespace = overlay === "dev" ? "magpie-dev" : "magpie";
    const found = byKey(template(values, set, "magpie", namespace));
    // The overlay has the namespace to itself; beside a release there may be others' pods, which it leaves alone.
    const denyAll = expected["NetworkPolicy magpie-deny-all"] as { spec: { podSelector: object } };
    expect(denyAll.spec.podSelector).toEqual({});
    denyAll.spec.podSelector = { matchLabels: { "app.kubernetes.io/name": "magpie" } };
    expect(Object.keys(found).toSorted()).toEqual(Object.keys(expected).toSorted());
    for (const [key, document] of Object.entries(expected))
      expect([key, found[key]]).toEqual([key, document]);
  });

  test.each(["dev", "production"])("fits the schemas with the values of %s", async overlay => {
    for (const document of template(overlay))
      expect([document.kind, await problemsOf(document)]).toEqual([document.kind, []]);
  });

  test("two releases in a namespace have nothing in common", () => {
    const keys = (release: string) =>
      template("production", [], release).map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    const [one, other] = [keys("magpie"), keys("second")];
    expect(other).toHaveLength(one.length);
    expect(other.filter(key => one.includes(key))).toEqual([]);
    const chosen = JSON.stringify(template("production", [], "second"));
    const selectors = [...chosen.matchAll(/"(?:matchLabels|podSelector|selector)":(\{[^{}]*\})/g)].map(
      ([, labels]) => labels,
    );
    const ofPods = selectors.filter(labels => labels?.includes("app.kubernetes.io/name"));
    expect(ofPods.length).toBeGreaterThan(30);
    expect(ofPods.filter(labels => !labels?.includes('"app.kubernetes.io/instance":"second"'))).toEqual([]);
  });

  test("a host that is missing is named, and so is a value that nothing reads", () => {
    const message = (set: string[]) => run(["template", "magpie", chart], "production", set).stderr;
    expect(message(["host="])).toContain("Set `host` to the name by which clients ask");
    expect(message(["autoscalling.enabled=false"])).toContain("autoscalling");
  });

  test("a change of the settings replaces the nodes", () => {
    const sums = (set: string[]) =>
      /checksum\/settings: (\w{64})/.exec(run(["template", "magpie", chart], "production", set).stdout)?.[1];
    expect(sums([])).toMatch(/^\w{64}$/);
    expect(sums(["settings.LOG_LEVEL=debug"])).not.toBe(sums([]));
  });

  test("an image may be named by its digest", () => {
    const digest = `sha256:${"0".repeat(64)}`;
    const text = JSON.stringify(template("production", [`image.digest=${digest}`]));
    expect(text.match(/"image":"registry\.example\.com\/magpie@sha256:0{64}"/g)).toHaveLength(8);
  });
});
