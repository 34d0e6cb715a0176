import { execFile } from "node:child_process";
import { existsSync, readFileSync, realpathSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";

export interface Image {
  /** The folder that its root is mounted at. */
  root: string;
  /** That of the system that the image begins with. */
  base: string;
  /** What a container of it runs, from its configuration. */
  command: string[];
  env: string[];
  remove(): Promise<string>;
}

const repository = join(import.meta.dirname, "../..");
const dockerfile = join(repository, "k8s/image/Dockerfile");
const sources = "/etc/apt/sources.list.d/debian.sources";
/** Debian's slim image is without documents, but licences, and without translations. */
const slim = [
  "exclude=doc/*",
  "include=doc/*/copyright",
  "exclude=man/*",
  "exclude=info/*",
  "exclude=locale/*",
];
/** mmdebstrap takes the package that merges /usr, which needs all of Perl; Debian's image does not have it. */
const withoutPerl = [
  "apt-mark auto $(apt-mark showmanual)",
  "apt-get purge --yes --auto-remove --allow-remove-essential usrmerge perl libperl5.36 perl-modules-5.36",
].join(" && ");

export function whatIsMissing(): string[] {
  const folders = process.env.PATH?.split(delimiter) ?? [];
  const programs = ["mmdebstrap", "buildah", "runc"].filter(
    name => !folders.some(folder => existsSync(join(folder, name))),
  );
  return [
    ...(process.getuid?.() === 0 ? [] : ["root"]),
    ...programs,
    ...(process.env.npm_execpath === undefined ? ["to be run by npm"] : []),
    ...(existsSync(sources) && /Suites: bookworm/.test(readFileSync(sources, "utf8")) ? [] : ["Debian 12"]),
  ];
}

/** `folder` takes everything that the build keeps. */
export async function buildImage(folder: string): Promise<Image> {
  const places = ["--root", join(folder, "images"), "--runroot", join(folder, "state")];
  const buildah = (...args: string[]) => run("buildah", [...places, ...args]);
  const [nodeImage = ""] = /(?<=^FROM )node:\S+/m.exec(readFileSync(dockerfile, "utf8")) ?? [];

  const base = join(folder, "debian");
  await makeDebian(base);
  const debian = await buildah("from", "scratch");
  await buildah("copy", debian, base, "/");
  await buildah("commit", debian, "docker.io/library/debian:bookworm-slim");
  await buildah("copy", debian, process.execPath, "/usr/local/bin/node");
  const npm = "/usr/local/lib/node_modules/npm";
  await buildah("copy", debian, join(dirname(realpathSync(process.env.npm_execpath ?? "")), ".."), npm);
  const link = ["ln", "-s", `${npm}/bin/npm-cli.js`, "/usr/local/bin/npm"];
  await buildah("run", "--isolation", "chroot", debian, "--", ...link);
  // As this machine reaches the registries, so does the build; nothing of it is kept in the image.
  const certificates = process.env.NODE_EXTRA_CA_CERTS;
  if (certificates) await buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${certificates}`, debian);
  await buildah("commit", debian, `docker.io/library/${nodeImage}`);
  const volumes = ["/etc/apt", ...(certificates ? [certificates] : [])];
  await buildah(
    ...["build", "--isolation", "chroot", "--pull-never", "--file", dockerfile, "--target", "magpie-browser"],
    ...volumes.flatMap(path => ["--volume", `${path}:${path}:ro`]),
    ...["--tag", "magpie-browser", repository],
  );
  const container = await buildah("from", "--pull-never", "magpie-browser");
  const { OCIv1 } = JSON.parse(await buildah("inspect", container));
  return {
    root: await buildah("mount", container),
    base,
    command: OCIv1.config.Cmd,
    env: OCIv1.config.Env,
    remove: () => buildah("rm", "--all"),
  };
}

async function makeDebian(folder: string): Promise<void> {
  const options = slim.map(pattern => `--dpkgopt=path-${pattern.replace("=", "=/usr/share/")}`);
  const hook = `--customize-hook=chroot "$1" sh -c '${withoutPerl}'`;
  await run("mmdebstrap", [
    "--variant=minbase",
    "--include=usr-is-merged",
    ...options,
    hook,
    "bookworm",
    folder,
    sources,
  ]);
}

/** What a program prints. What it says beside is shown when it fails. */
async function run(program: string, args: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(program, args, { maxBuffer: 2 ** 26 });
  return stdout.trim();
}
