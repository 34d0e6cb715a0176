import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { parse } from "yaml";
import { toConfig } from "../../mixins/config/config.ts";
import { readEnv } from "../../mixins/config/env.ts";

interface ComposeService {
  image: string;
  profiles: string[];
  environment?: Record<string, string>;
  env_file?: (string | { path: string })[];
  networks: string[];
  user?: string;
  read_only?: boolean;
  cap_drop?: string[];
  security_opt: string[];
  stop_grace_period?: string;
}

const root = join(import.meta.dirname, "..", "..");
const read = (path: string) => readFileSync(join(root, path), "utf8");
const manifest = JSON.parse(read("package.json"));
const dockerfile = read("k8s/image/Dockerfile");
const compose = parse(read("compose.yaml"), { merge: true }) as { services: Record<string, ComposeService> };
const services = Object.entries(compose.services);
const inCluster = services.filter(([, { environment }]) => environment?.SERVICES !== undefined);

describe("the image", () => {
  test("runs the Node of package.json, as `npm start` does", () => {
    expect(dockerfile.match(/^FROM node:([\d.]+)-/m)?.[1]).toBe(manifest.dependencies.node);
    const [, link = "", program = ""] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/(\S+)/.exec(dockerfile) ?? [];
    const command: string[] = JSON.parse(dockerfile.match(/^CMD (.*)$/m)?.[1] ?? "[]");
    expect(command[0]).toBe(program);
    expect(manifest.scripts.start).toBe(["exec node", link, ...command.slice(1)].join(" "));
  });

  test("has of Node's image the program alone", () => {
    const ofNode = dockerfile.split(/^FROM /m).filter(stage => /^COPY --from=node |^node AS /m.test(stage));
    expect(ofNode.map(stage => stage.match(/ AS (\w+)/)?.[1])).toEqual(["packages", "program"]);
    expect(dockerfile).toMatch(
      /^FROM debian:bookworm-slim AS runtime\nCOPY --from=program \S+\/node \S+\/node\n/m,
    );
  });

  test("listens and writes where the pods expect it", () => {
    const role = read("k8s/base/role/deployment.yaml");
    const [, variables = ""] = dockerfile.match(/^ENV (.*)$/m) ?? [];
    const set = Object.fromEntries(variables.split(" ").map(pair => pair.split("=")));
    expect(set).toMatchObject({ HOST: "0.0.0.0" });
    expect(read("k8s/base/api/deployment.yaml")).toContain(`name: http, containerPort: ${set.PORT},`);
    expect(role).toContain(`name: health, containerPort: ${toConfig({}).healthPort},`);
    expect(role).toContain(`name: data, mountPath: ${set.DATA_DIR} `);
  });

  test("is no root's, and has a browser only for the scraper", () => {
    const stages = Object.fromEntries(
      dockerfile
        .split(/^FROM /m)
        .slice(1)
        .map(stage => [stage.match(/ AS ([\w-]+)/)?.[1] ?? "", stage]),
    );
    const users = (stage = "") => [...stage.matchAll(/^USER (.*)$/gm)].map(([, user]) => user);
    expect(users(stages.runtime)).toEqual(["1000:1000"]);
    expect(users(stages["magpie-browser"])).toEqual([]);
    expect(stages.magpie).toMatch(/^runtime AS /);
    expect(stages["magpie-browser"]).toMatch(/^magpie AS .*\nCOPY --from=browser \/browser \/\n/);
    const withBrowser = Object.keys(stages).filter(name => /chromium-/.test(stages[name] ?? ""));
    expect(withBrowser).toEqual(["browser", "magpie-browser"]);
  });

  test("copies of the browser what its script names, and fails where that is missing", () => {
    const script = read("k8s/image/copy-browser.sh");
    expect(dockerfile).toMatch(/from=runtime,target=\/base sh \S+\/copy-browser\.sh \/browser \/base$/m);
    expect(dockerfile).toMatch(/^RUN \["chromium-headless-shell", "--version"\]$/m);
    expect(script).toMatch(/^set -eu$/m);
    expect(script).toContain("if grep 'not found'");
    execFileSync("sh", ["-n", join(root, "k8s/image/copy-browser.sh")]);
  });

  test("is made of what the build is given, which is nothing else", () => {
    const [all, ...lines] = read(".dockerignore")
      .split("\n")
      .filter(line => line && !line.startsWith("#"));
    expect(all).toBe("*");
    const kept = lines.filter(line => line.startsWith("!"));
    const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.*) \S+$/gm)].flatMap(([, files = ""]) =>
      files.split(" "),
    );
    expect(kept.map(line => line.slice(1)).sort()).toEqual([...new Set(copied)].sort());
    expect(kept.filter(line => !existsSync(join(root, line.slice(1))))).toEqual([]);
  });

  test("has the version of the package, wherever it is named", () => {
    const files = ["compose.yaml", "k8s/image/Dockerfile", ...globSync("k8s/**/*.yaml", { cwd: root })];
    const tags = files.flatMap(file =>
      [...read(file).matchAll(/(?:\bmagpie(?:-browser)?:|newTag: )(\d[\w.-]*)/g)].map(([, tag]) => tag),
    );
    expect(tags.length).toBeGreaterThan(6);
    expect(new Set(tags)).toEqual(new Set([manifest.version]));
    expect(dockerfile).toContain(`org.opencontainers.image.version="${manifest.version}"`);
  });

  test.each([
    [200, 0],
    [503, 1],
  ])("is healthy by the answer at either port: %i is %i", async (status, expected) => {
    const server = createServer((_, response) => response.writeHead(status).end()).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const [, command = ""] = dockerfile.match(/^HEALTHCHECK .* CMD (.*)$/m) ?? [];
    const [, ...args] = JSON.parse(command) as string[];
    // Nobody listens at port 1.
    const ofTest = args.map(text => text.replace("[3000, 3001]", `[1, ${port}]`));
    expect(ofTest.join(" ")).toContain(String(port));
    const child = spawn(process.execPath, ofTest);
    const [code] = await once(child, "exit");
    server.close();
    expect(code).toBe(expected);
  });

  test("is run as its guide says: confined as the compose file confines it", () => {
    const guide = read("docs/operations/container.md");
    const alone = compose.services.magpie as ComposeService & { tmpfs: string[]; volumes: string[] };
    for (const option of alone.security_opt) expect(guide).toContain(`--security-opt ${option}`);
    for (const option of alone.tmpfs) expect(guide).toContain(`--tmpfs ${option}`);
    for (const option of ["--read-only", "--cap-drop ALL", alone.image]) expect(guide).toContain(option);
    expect(guide).toContain(`${alone.volumes[0]?.replace("data", "magpie")}`);
  });
});

test("the browser's profile is where the pods and the compose file look for it", () => {
  const path = "k8s/image/seccomp/magpie-browser.json";
  const profile = JSON.parse(read(path));
  const [refused] = profile.syscalls;
  expect(refused.action).toBe("SCMP_ACT_ERRNO");
  expect(refused.names).toEqual(
    expect.arrayContaining(["mount", "setns", "bpf", "keyctl", "io_uring_setup"]),
  );
  expect(refused.names.filter((name: string) => /^(clone3?|unshare|chroot)$/.test(name))).toEqual([]);
  expect(new Set(refused.names).size).toBe(refused.names.length);
  expect(read("k8s/base/scraper/deployment.yaml")).toContain(
    "localhostProfile: profiles/magpie-browser.json",
  );
  expect(read("k8s/overlays/dev/kind.yaml")).toContain("hostPath: ./k8s/image/seccomp\n");
  expect(compose.services.scraper?.security_opt).toContain(`seccomp=${path}`);
});

describe("compose.yaml", () => {
  test("has a process for each service, and one for all", () => {
    const folders = globSync("services/*/*.service.ts", { cwd: root }).map(path => path.split("/")[1]);
    expect(inCluster.map(([, { environment }]) => environment?.SERVICES).sort()).toEqual(folders.sort());
    expect(
      services.filter(([, { profiles }]) => !profiles.includes("cluster")).map(([name]) => name),
    ).toEqual(["magpie"]);
  });

  test.each(services)("%s is confined", (_name, service) => {
    expect(service).toMatchObject({ read_only: true, cap_drop: ["ALL"] });
    expect(service.security_opt).toContain("no-new-privileges:true");
    expect(service.image).toMatch(/:\d+\.\d+\.\d+/);
    if (service.image.startsWith("magpie"))
      expect(Number.parseInt(service.stop_grace_period ?? "0", 10)).toBeGreaterThan(25);
    else expect(service.user).toMatch(/^[1-9]/);
  });

  test.each(inCluster)(
    "%s is told what the program knows, and has the internet only with a guard",
    (_name, service) => {
      const known = [
        ...Object.keys(readEnv(new Proxy({}, { get: () => "set" }))),
        "SERVICES",
        "NATS_URL",
        "REDIS_URL",
        "MONGO_URL",
      ];
      expect(Object.keys(service.environment ?? {}).filter(name => !known.includes(name))).toEqual([]);
      const [path = ""] = globSync(`services/${service.environment?.SERVICES}/*.service.ts`, { cwd: root });
      expect(service.networks.includes("internet")).toBe(/\begressMixin\(/.test(read(path)));
    },
  );

  test("what an operator sets is set for every process of the cluster, and a secret for those that need it", () => {
    const settings = inCluster.map(([name, { env_file = [] }]) => [name, env_file[0]]);
    expect(settings).toEqual(inCluster.map(([name]) => [name, "magpie.env"]));
    const untold = (secret: string) =>
      inCluster.filter(([, { environment }]) => environment?.[secret] === "").map(([name]) => name);
    for (const secret of ["ADMIN_KEY", "MASTER_SECRET", "BOOTSTRAP_API_KEY"])
      expect(untold(secret).sort()).toEqual(["admin", "crawler", "history", "scraper", "tracker"]);
    expect(compose.services.magpie?.env_file).toEqual([]);
  });

  test("the backends are those of the dev overlay", () => {
    for (const name of ["nats", "redis", "mongodb"])
      expect(read(`k8s/components/dev-infrastructure/${name}.yaml`)).toContain(
        `image: ${compose.services[name]?.image}\n`,
      );
  });
});
