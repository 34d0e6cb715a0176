import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { dirname, join, relative } from "node:path";

interface Import {
  file: string;
  /** A path below the project's root, or a package or built-in module. */
  target: string;
  typeOnly: boolean;
}

const root = join(import.meta.dirname, "..", "..");
const files = globSync(["moleculer.config.ts", "services/**/*.ts", "mixins/**/*.ts"], { cwd: root });
const sources = new Map(files.map(file => [file, readFileSync(join(root, file), "utf8")]));
const imports = files.flatMap(importsOf);

function importsOf(file: string): Import[] {
  const statement = /(?:^|\n)(?:import|export)\s+(type\s+)?(?:[^"';]*?\sfrom\s+)?"([^"]+)"/g;
  return [...(sources.get(file) ?? "").matchAll(statement)].map(([, type, target = ""]) => ({
    file,
    typeOnly: type !== undefined,
    target: target.startsWith(".") ? relative(root, join(root, dirname(file), target)) : target,
  }));
}

/** `domain`, `contracts`, `mixins`, or a room's name; undefined for packages. */
function part(path: string): string | undefined {
  const [top, folder] = path.split("/");
  if (top === "mixins") return "mixins";
  return top === "services" ? folder : undefined;
}

const shared = new Set(["domain", "contracts", "mixins"]);
const inDomain = imports.filter(({ file }) => part(file) === "domain");

function offences(rule: (each: Import) => boolean, among = imports): string[] {
  return among.filter(each => !rule(each)).map(({ file, target }) => `${file} -> ${target}`);
}

function filesWith(pattern: RegExp, allowed: (file: string) => boolean): string[] {
  return files.filter(file => !allowed(file) && pattern.test(sources.get(file) ?? ""));
}

test("there is something to judge", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(imports.length).toBeGreaterThan(300);
  expect(new Set(files.map(part))).toEqual(
    new Set([
      undefined,
      "domain",
      "contracts",
      "mixins",
      "api",
      "keys",
      "scraper",
      "crawler",
      "connectors",
      "tracker",
      "webhook-dispatcher",
      "admin",
    ]),
  );
});

test("the domain imports the domain and packages only", () => {
  expect(offences(({ target }) => part(target) === "domain" || part(target) === undefined, inDomain)).toEqual(
    [],
  );
});

test("the domain is pure: no Moleculer, no network, no files, no clock, no environment", () => {
  const pure = new Set(["node:crypto", "node:buffer", "node:net", "node:zlib"]);
  expect(offences(({ target }) => !isBuiltin(target) || pure.has(target), inDomain)).toEqual([]);
  const impure = /^(moleculer|undici|puppeteer|piscina|openai|ioredis|nats)/;
  expect(offences(({ target }) => !impure.test(target), inDomain)).toEqual([]);
  expect(
    filesWith(
      /process\.env|Date\.now\(\)|new Date\(\)|performance\.now|setTimeout\(|\bfetch\(/,
      file => part(file) !== "domain",
    ),
  ).toEqual([]);
});

test("contracts know contracts and the domain's types", () => {
  const ofContracts = imports.filter(({ file }) => part(file) === "contracts");
  const allowed = ({ target, typeOnly }: Import) =>
    part(target) === undefined || part(target) === "contracts" || (part(target) === "domain" && typeOnly);
  expect(offences(allowed, ofContracts)).toEqual([]);
});

test("mixins know no room", () => {
  const ofMixins = imports.filter(({ file }) => part(file) === "mixins");
  expect(
    offences(({ target }) => part(target) === undefined || shared.has(part(target) ?? ""), ofMixins),
  ).toEqual([]);
});

test("a room knows itself, the contracts, the domain and the mixins; never another room", () => {
  const ofRooms = imports.filter(({ file }) => part(file) !== undefined && !shared.has(part(file) ?? ""));
  const allowed = ({ file, target }: Import) =>
    part(target) === undefined || part(target) === part(file) || shared.has(part(target) ?? "");
  expect(offences(allowed, ofRooms)).toEqual([]);
});

test("the environment is read in one file, and Puppeteer imported in one folder", () => {
  expect(filesWith(/process\.env/, file => file === "mixins/config/env.ts")).toEqual([]);
  expect(
    offences(({ file, target }) => !/^puppeteer/.test(target) || file.startsWith("mixins/browser/")),
  ).toEqual([]);
});

test("operations are named in the contracts alone", () => {
  // Scripts name Redis' commands, and the queue the events of its process.
  const isOwn = /^(services\/contracts|mixins\/queue)\//;
  expect(filesWith(/(?<!\bredis)\.(call|emit|broadcast)\(\s*["'`]/, file => isOwn.test(file))).toEqual([]);
});

test("no fetch goes round the guard", () => {
  // Each of these takes its dispatcher from the guard; the model's endpoint is the operator's, not a user's, and the
  // command lines ask the service that their user names.
  const guarded =
    /^(mixins\/egress|services\/scraper\/(fetch|llm)|services\/crawler\/cli|services\/admin\/repl|services\/connectors|services\/webhook-dispatcher\/engine)\//;
  const outgoing = /^(undici|node:https?|node:http2|node:tls|openai)$/;
  expect(
    offences(
      ({ file, target, typeOnly }) =>
        typeOnly || !outgoing.test(target) || guarded.test(file) || target === "node:http",
    ),
  ).toEqual([]);
  // Where a network sits is the operator's setting; what a user sends is never an address there.
  const ofNetworks = /^services\/connectors\/(microblog|chatserver|messenger)\//;
  expect(filesWith(/(?<![.\w])fetch\(/, file => ofNetworks.test(file))).toEqual([]);
});
