import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { parseAllDocuments } from "yaml";
import { toConfig } from "../../../mixins/config/config.ts";
import { builtByGo, helm } from "../../support/go-program.ts";
import { needs } from "../../support/needs.ts";
import { blocksOf, page, root } from "../pages.ts";

const blockOf = (name: string, info: string) => {
  const found = blocksOf(page(`docs/tutorials/${name}.md`)).find(each => each.info === info);
  if (!found) throw new Error(`${name} has no block ${info}`);
  return found.text;
};

const program = await builtByGo(helm);
const withHelm = needs(program !== null, "Go, which builds Helm");

describe("a server of 1 GB", () => {
  const settings = parseEnv(blockOf("a-server-of-1-gb", "sh magpie.env")) as Record<string, string>;

  test("its settings are settings, and small ones", () => {
    const small = toConfig({ ...settings, DATA_DIR: "/tmp" });
    const usual = toConfig({ DATA_DIR: "/tmp" });
    expect(small.publicUrl).toBe("https://magpie.example.com");
    expect(small.browser.pages).toBeLessThan(usual.browser.pages);
    expect(small.browser.maxMemoryMb).toBeLessThan(usual.browser.maxMemoryMb);
  });

  test("the browser fits into the limit of the unit, and the unit has such a limit", () => {
    const [, limit] = /^MemoryMax=(\d+)M$/m.exec(blockOf("a-server-of-1-gb", "ini")) ?? [];
    expect(Number(settings.BROWSER_MAX_MEMORY_MB)).toBeLessThan(Number(limit));
    expect(readFileSync(join(root, "deploy/magpie.service"), "utf8")).toMatch(/^MemoryMax=/m);
  });

  // `test/integration/proxies.test.ts` runs Caddy with the lines of that page.
  test("its proxy is the one of the page about TLS", () => {
    const [site = "", metrics = ""] = blocksOf(page("docs/operations/a-server-with-tls.md"))
      .filter(({ info }) => info === "caddyfile")
      .map(({ text }) => text);
    expect(blockOf("a-server-of-1-gb", "caddyfile")).toBe(site.replace(/\}\n$/, `\t${metrics}}\n`));
  });
});

describe("a move to Kubernetes", () => {
  const install = blockOf("move-to-kubernetes", "sh helm").split("\nkubectl")[0] ?? "";
  const secrets = blockOf("move-to-kubernetes", "sh secrets");

  withHelm.test("the chart takes what the page sets, and the pods read the secrets that it makes", () => {
    const words = install.replaceAll("\\\n", " ").split(/\s+/).filter(Boolean).slice(2);
    const args = ["template", ...words, "--kube-version", "1.34.0"];
    const { status, stdout, stderr } = spawnSync(program ?? "", args, { cwd: root, encoding: "utf8" });
    expect({ status, stderr }).toMatchObject({ status: 0 });
    const documents = parseAllDocuments(stdout).map(each => each.toJS());
    const named = (kind: string) =>
      documents.filter(each => each?.kind === kind).map(each => each.metadata.name as string);
    // What the page asks after, and leaves out.
    expect(named("Deployment")).toContain("magpie-api");
    expect(named("Service")).toContain("magpie-api");
    expect([...named("ScaledObject"), ...named("PrometheusRule")]).toEqual([]);
    expect(stdout).toContain("new.magpie.example.com");
    for (const [, secret] of secrets.matchAll(/create secret generic (\S+)/g))
      expect(stdout).toContain(secret);
  });

  test("its secrets are settings of a cluster", () => {
    const values = [...secrets.matchAll(/--from-literal=(\w+)=("[^"]*"|\S+)/g)].map(
      ([, name = "", value = ""]) => [
        name,
        value.startsWith('"') ? "0123456789abcdef0123456789abcdef" : value,
      ],
    );
    const config = toConfig({ ...Object.fromEntries(values), DATA_DIR: "/tmp", SERVICES: "api" });
    expect(config.cluster).toBeTruthy();
  });
});
