import { globSync, readFileSync } from "node:fs";
import { isBuiltin } from "node:module";
import { join } from "node:path";
import { files, filesWith, type Import, imports, importsOf, offences, part } from "./product.ts";

const root = join(import.meta.dirname, "../..");
const shared = new Set(["reader", "domain", "contracts", "mixins"]);
const ofReader = imports.filter(({ file }) => part(file) === "reader");
const inDomain = imports.filter(({ file }) => part(file) === "domain");
const ofMixins = imports.filter(({ file }) => part(file) === "mixins");

test("there is something to judge", () => {
  expect(files.length).toBeGreaterThan(100);
  expect(imports.length).toBeGreaterThan(300);
  expect(new Set(files.map(part))).toEqual(
    new Set([
      undefined,
      "reader",
      "train",
      "domain",
      "contracts",
      "mixins",
      "cli",
      "sdk",
      "api",
      "keys",
      "scraper",
      "crawler",
      "connectors",
      "tracker",
      "history",
      "webhook-dispatcher",
      "admin",
    ]),
  );
});

test.each([
  ['import { a } from "./b.ts";', "value", "mixins/x/b.ts"],
  ['import {\n  a,\n  type B,\n} from "../y/b.ts";', "value", "mixins/y/b.ts"],
  ['import "undici";', "value", "undici"],
  ['import type { A } from "./b.ts";', "type", "mixins/x/b.ts"],
  ['export type { A } from "./b.ts";', "type", "mixins/x/b.ts"],
  ['export { a } from "./b.ts";', "value", "mixins/x/b.ts"],
  ['  const { a } = await import("./b.ts");', "dynamic", "mixins/x/b.ts"],
  ['const a = require("node:fs");', "dynamic", "node:fs"],
  ['createRequire(import.meta.url).resolve("bullmq");', "dynamic", "bullmq"],
  ['new Worker(new URL("b.worker.ts", import.meta.url))', "program", "mixins/x/b.worker.ts"],
])("an import: %s", (source, kind, target) => {
  expect(importsOf("mixins/x/a.ts", source)).toEqual([{ file: "mixins/x/a.ts", target, kind }]);
});

/** A path below the root is a part of ours, whatever it is; all else is a package. */
const isOurs = (target: string) =>
  /^(bin|cli|dashboard|examples|k8s|mixins|reader|sdk|services|test|tools)\//.test(target);

test("the reader knows itself and packages, and nothing else of ours", () => {
  expect(offences(({ target }) => part(target) === "reader" || !isOurs(target), ofReader)).toEqual([]);
});

test("its tests and benches know the reader and the tools of the tests, and nothing of the service", () => {
  const paths = globSync("reader/{bench,test}/**/*.ts", { cwd: root });
  const found = paths.flatMap(file => importsOf(file, readFileSync(join(root, file), "utf8")));
  expect(found.length).toBeGreaterThan(200);
  const allowed = ({ target }: Import) => !isOurs(target) || /^(reader|test|tools)\//.test(target);
  expect(offences(allowed, found)).toEqual([]);
});

test("its trainer knows the reader, and nothing else of ours", () => {
  const ofTrainer = imports.filter(({ file }) => part(file) === "train");
  expect(offences(({ target }) => target.startsWith("reader/") || !isOurs(target), ofTrainer)).toEqual([]);
});

test("the domain imports the domain, the reader and packages only", () => {
  const mayKnow = new Set(["domain", "reader"]);
  expect(offences(({ target }) => mayKnow.has(part(target) ?? "") || !isOurs(target), inDomain)).toEqual([]);
});

test.each([
  ["domain", inDomain],
  ["reader", ofReader],
])(
  "the %s is pure: no Moleculer, no network, no files, no clock, no chance, no environment",
  (name, among) => {
    const pure = new Set(["node:crypto", "node:buffer", "node:net", "node:zlib"]);
    const withData = new Set(["reader/content/block-model.ts", "reader/pdf/pdf-source.ts"]);
    const readsOwnData = ({ file, target }: Import) => withData.has(file) && target === "node:fs";
    const allowed = (each: Import) => !isBuiltin(each.target) || pure.has(each.target) || readsOwnData(each);
    expect(offences(allowed, among)).toEqual([]);
    const impure = /^(moleculer|undici|puppeteer|piscina|ioredis|nats)/;
    expect(offences(({ target }) => !impure.test(target), among)).toEqual([]);
    const asks =
      /process\.env|Date\.now\(\)|new Date\(\)|performance\.now|Math\.random|setTimeout\(|\bfetch\(/;
    expect(filesWith(asks, file => part(file) !== name)).toEqual([]);
  },
);

test("contracts know contracts, and types of the domain and the reader", () => {
  const ofContracts = imports.filter(({ file }) => part(file) === "contracts");
  const allowed = ({ target, kind }: Import) =>
    part(target) === undefined ||
    part(target) === "contracts" ||
    (["domain", "reader"].includes(part(target) ?? "") && kind === "type");
  expect(offences(allowed, ofContracts)).toEqual([]);
});

test("mixins know no service, but for the contracts, the domain and the reader", () => {
  expect(
    offences(({ target }) => part(target) === undefined || shared.has(part(target) ?? ""), ofMixins),
  ).toEqual([]);
});

/** From the lowest to the highest. What is said of a cluster is stored, and a store may be in the cluster's MongoDB. */
const layers = [
  ["async"],
  ["config"],
  ["log"],
  ["runtime", "bus", "tracing"],
  ["egress", "mail", "ocr"],
  ["cluster", "store"],
  ["queue", "event-log", "history", "frontier", "site-pages", "crawl", "browser", "clients"],
  ["coordination"],
];

test("mixins are in layers: each knows itself and those below", () => {
  const folder = (path: string) => path.split("/")[1] ?? "";
  const layer = (path: string) => layers.findIndex(each => each.includes(folder(path)));
  const allowed = ({ file, target }: Import) =>
    part(target) !== "mixins" ||
    folder(target) === folder(file) ||
    layer(target) < layer(file) ||
    (["cluster", "store"].includes(folder(target)) && layer(target) === layer(file));
  expect(offences(allowed, ofMixins)).toEqual([]);
  expect(new Set(ofMixins.map(({ file }) => folder(file)))).toEqual(new Set(layers.flat()));
});

test("a service knows itself, the contracts, the domain, the reader and the mixins; never another service", () => {
  const ofServices = imports.filter(
    ({ file }) => file.startsWith("services/") && !shared.has(part(file) ?? ""),
  );
  const allowed = ({ file, target }: Import) =>
    part(target) === undefined || part(target) === part(file) || shared.has(part(target) ?? "");
  expect(offences(allowed, ofServices)).toEqual([]);
});

test("the command-line programs are above everything else, and know the broker's options, which know none of them", () => {
  const height = (path: string) => (path.startsWith("cli/") ? 2 : path === "moleculer.config.ts" ? 1 : 0);
  expect(offences(({ file, target }) => height(file) >= height(target))).toEqual([]);
});

test("the client library stands by itself, and the command alone is written with it", () => {
  const isClient = (path: string) => part(path) === "sdk";
  const allowed = ({ file, target }: Import) =>
    isClient(file)
      ? !isBuiltin(target) && (part(target) === undefined || isClient(target))
      : !isClient(target) || part(file) === "cli";
  expect(offences(allowed)).toEqual([]);
});

test("the product knows nothing of what is beside it: tests, tools, examples, manifests", () => {
  expect(offences(({ target }) => !/^(bin|examples|k8s|test|tools)\//.test(target))).toEqual([]);
});

/** Writes lines of programs as text, for readers of the reference; it runs none of them. */
const writesExamples = (file: string) => file === "services/api/openapi/reference-lines.ts";

test("the environment is read in one file, and Puppeteer imported in one folder", () => {
  const mayName = (file: string) => file === "mixins/config/env.ts" || writesExamples(file);
  expect(filesWith(/process\.env/, mayName)).toEqual([]);
  expect(
    offences(({ file, target }) => !/^puppeteer/.test(target) || file.startsWith("mixins/browser/")),
  ).toEqual([]);
});

test("services keep nothing in files: stores do", () => {
  // The pages of the API's documentation are files of a package; the filter lists and the pages of the dashboard and
  // the guide are their own; a driver of Telegram keeps its session in a file of its own format; the REPL reads what an
  // administrator names; a destination of endpoints is a folder.
  const isFree = (file: string) =>
    /^services\/(scraper\/render\/ad-filters|api\/\w+\/docs\.ts|api\/(dashboard|guide)\/\w+\.ts|connectors\/\w+\/telegram\/|admin\/repl\/|webhook-dispatcher\/destinations\/folder\/)/.test(
      file,
    );
  const ofServices = imports.filter(({ file }) => file.startsWith("services/"));
  expect(offences(({ file, target }) => !/^node:fs/.test(target) || isFree(file), ofServices)).toEqual([]);
});

test("events of the browser are subscribed to in one way", () => {
  const sees = new Set(
    imports
      .filter(({ target }) => target.startsWith("mixins/browser/") || target === "puppeteer")
      .map(({ file }) => file),
  );
  const isFree = (file: string) =>
    file === "mixins/browser/listen.ts" || !(sees.has(file) || file.startsWith("mixins/browser/"));
  expect(filesWith(/\.(on|once|addListener|prependListener)\(/, isFree)).toEqual([]);
});

test("operations are named in the contracts alone", () => {
  // Scripts name Redis' commands, and the queue the events of its process.
  const isOwn = /^(services\/contracts|mixins\/queue)\//;
  expect(filesWith(/(?<!\bredis)\.(call|emit|broadcast)\(\s*["'`]/, file => isOwn.test(file))).toEqual([]);
});

test("no fetch goes round the guard", () => {
  // Each of these takes its dispatcher from the guard; the model's endpoint is the operator's, not a user's, and the
  // command lines and the REPL ask the service that their user names. Traces go to the collector, and blobs to the bucket, which are also the operator's.
  const guarded =
    /^(cli|mixins\/(egress|tracing|store\/blobs)|services\/admin\/repl|services\/scraper\/(fetch|extract)|services\/connectors|services\/webhook-dispatcher\/lanes)\//;
  const outgoing = /^(undici|node:https?|node:http2|node:tls)$/;
  expect(
    offences(
      ({ file, target, kind }) =>
        kind === "type" || !outgoing.test(target) || guarded.test(file) || target === "node:http",
    ),
  ).toEqual([]);
  // Where a network sits is the operator's setting; what a user sends is never an address there.
  const ofNetworks =
    /^(sdk\/|services\/connectors\/platforms\/|services\/scraper\/model\/language-model\.ts|mixins\/tracing\/)/;
  const mayFetch = (file: string) => ofNetworks.test(file) || writesExamples(file);
  expect(filesWith(/(?<![.\w])fetch\(/, mayFetch)).toEqual([]);
});
