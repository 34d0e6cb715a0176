import { existsSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toConfig } from "../../../mixins/config/config.ts";
import { credentialsPath, loadCredentials } from "../../../mixins/config/credentials.ts";
import { readEnv } from "../../../mixins/config/env.ts";
import { removeFolder } from "../../support/folders.ts";

test.each([
  ["PORT", "http"],
  ["PORT", "65536"],
  ["HEALTH_PORT", "-1"],
  ["ADMIN_KEY", "short"],
  ["ADMIN_KEY", " with a blank before it"],
  ["BOOTSTRAP_API_KEY", "k".repeat(513)],
  ["BOOTSTRAP_API_KEY", "schlüssel-mit-umlaut"],
  ["MASTER_SECRET", "too short"],
  ["PROXIES", "http://proxy.example"],
  ["PROXIES", '{"us":["http://proxy.example"]}'],
  ["PROXIES", '{"US":"http://proxy.example"}'],
  ["PROXIES", '{"US":["ftp://proxy.example"]}'],
  ["PROXIES", '{"US":[["http://proxy.example"]]}'],
  ["PROXIES", '{"US":["http://user:p%0d%0aX: y@proxy.example:3128"]}'],
  ["PROXIES", '{"US":["http://us%00er:p@proxy.example:3128"]}'],
  ["PROXIES", '{"US":["http://user:%ff@proxy.example:3128"]}'],
  ["TRUSTED_PROXIES", "10.0.0.0/33"],
  ["TRUSTED_PROXIES", "10.0.0.1,proxy.example"],
  ["EGRESS_DNS_SERVERS", "dns.example"],
  ["EGRESS_DNS_SERVERS", "192.0.2.1:65536"],
  ["EGRESS_DNS_SERVERS", "2001:db8::1]:53"],
  ["LLM_BASE_URL", "localhost:8080"],
  ["S3_BUCKET", "No bucket"],
  ["S3_ENDPOINT", "s3.example.com"],
  ["S3_PREFIX", "/magpie"],
  ["LOG_LEVEL", "loud"],
  ["LOG_FORMAT", "xml"],
])("%s=%s is refused by its name", (name, value) => {
  expect(() => toConfig(readEnv({ [name]: value }))).toThrow(new RegExp(`^${name}: `));
});

test("a bucket needs its access key, and each other setting of it the bucket", () => {
  const keys = { S3_ACCESS_KEY_ID: "id", S3_SECRET_ACCESS_KEY: "secret" };
  const s3Of = (env: object) => toConfig(readEnv({ ...env })).s3;
  expect(s3Of({})).toBeUndefined();
  expect(() => s3Of({ S3_BUCKET: "magpie" })).toThrow(/^S3_ACCESS_KEY_ID: .* required with S3_BUCKET$/);
  expect(() => s3Of(keys)).toThrow(/^S3_BUCKET: .* required with S3_ACCESS_KEY_ID$/);
  expect(s3Of({ ...keys, S3_BUCKET: "magpie", S3_REGION: "eu-central-1" })).toEqual({
    bucket: "magpie",
    endpoint: "https://s3.eu-central-1.amazonaws.com",
    region: "eu-central-1",
    prefix: "magpie/",
    accessKeyId: "id",
    secretAccessKey: "secret",
  });
});

test("name servers have a port or not", () => {
  const servers = ["192.0.2.1", "192.0.2.1:5353", "2001:db8::1", "[2001:db8::1]:5353"];
  expect(toConfig(readEnv({ EGRESS_DNS_SERVERS: servers.join(", ") })).egressDnsServers).toEqual(servers);
  expect(toConfig(readEnv({})).egressDnsServers).toEqual([]);
});

describe("the servers of a cluster", () => {
  const urls = { NATS_URL: "nats://n:1", REDIS_URL: "redis://r:1", MONGO_URL: "mongodb://m:1/d" };

  test.each([
    ["NATS_URL", "nats://:4222"],
    ["NATS_URL", "nats://a:4222,b:4222"],
    ["NATS_URL", "http://n:4222"],
    ["REDIS_URL", "redis://:p/w@r:6379"],
    ["NATS_URL", "nats://a:4222,nats://u:sek%ret@b:4222"],
    ["REDIS_URL", "redis:6379"],
    ["REDIS_URL", "redis://u:sek%ret@r:6379"],
    ["REDIS_URL", "redis://r:6379/abc"],
    ["REDIS_URL", "redis://r:6379/0/1"],
    ["REDIS_URL", "redis+sentinel://s1:26379,s2:26379"],
    ["REDIS_URL", "redis+sentinel://s1:26379,:1/log"],
    ["REDIS_URL", "redis+sentinel://u:se%kret@s1:26379/log"],
    ["MONGO_URL", "m:27017"],
    ["CLUSTER_NAMESPACE", "Not_One"],
  ])("%s=%s is refused by its name, and not repeated", (name, value) => {
    const parse = () => toConfig(readEnv({ ...urls, [name]: value }));
    expect(parse).toThrow(new RegExp(`^${name}: `));
    expect(parse).not.toThrow(value);
  });

  test.each([
    ["NATS_URL", "tls://user:pass@a:4222, nats://b:4222"],
    ["REDIS_URL", "rediss://user:pass@r:6380/3"],
    ["REDIS_URL", "redis://:p%25w@r:6379/"],
    ["REDIS_URL", "redis+sentinel://user:p%25w@s1:26379,s2:26379/log/3"],
    ["REDIS_URL", "rediss+sentinel://s1,s2/log"],
    ["MONGO_URL", "mongodb://a:1,b:2/d?replicaSet=rs"],
    ["MONGO_URL", "mongodb+srv://m.example/d"],
  ])("%s=%s is taken", (name, value) => {
    expect(Object.values(toConfig(readEnv({ ...urls, [name]: value })).cluster ?? {})).toContain(value);
  });
});

test("the nodes of a cluster generate no secrets: the secrets that a service uses must be given", () => {
  const urls = { NATS_URL: "nats://n:1", REDIS_URL: "redis://r:1", MONGO_URL: "mongodb://m:1/d" };
  const dataDir = join(tmpdir(), "magpie-of-a-cluster");
  const load = (env = {}) =>
    loadCredentials({ ...toConfig({ ...urls, ...env }), dataDir }, () => "mk_generated");
  expect(() => load().adminKey).toThrow(/^ADMIN_KEY: required in a cluster/);
  expect(() => load().masterSecret).toThrow(/^MASTER_SECRET: required in a cluster/);
  expect(load().bootstrapApiKey).toBeUndefined();
  expect(load({ MASTER_SECRET: "a-secret-of-some-length" }).masterSecret).toBe("a-secret-of-some-length");
  expect(existsSync(dataDir)).toBe(false);
});

test("what is set to nothing is as good as not set", () => {
  expect(toConfig(readEnv({ PORT: "", ADMIN_KEY: "", PROXIES: "" }))).toEqual(toConfig({}));
});

describe("credentials", () => {
  let dataDir: string;
  const load = (env = {}) => loadCredentials({ ...toConfig(env), dataDir }, () => "mk_generated");
  const kept = () => JSON.parse(readFileSync(credentialsPath({ dataDir }), "utf8"));

  beforeEach(() => {
    dataDir = mkdtempSync(join(tmpdir(), "magpie-config-"));
  });
  afterEach(() => removeFolder(dataDir));

  test("are generated once, kept for the owner of the files only, and then the same", () => {
    const first = load();
    expect(first.bootstrapApiKey).toBe("mk_generated");
    expect(load()).toEqual(first);
    expect(kept()).toEqual(first);
    expect(statSync(credentialsPath({ dataDir })).mode & 0o777).toBe(0o600);
  });

  test("from the environment they are used and never written down", () => {
    const ADMIN_KEY = "an-admin-key-of-the-environment";
    expect(load({ ADMIN_KEY }).adminKey).toBe(ADMIN_KEY);
    expect(Object.keys(kept()).sort()).toEqual(["bootstrapApiKey", "masterSecret"]);
    const { adminKey } = load();
    expect(kept().adminKey).toBe(adminKey);
    expect(load({ ADMIN_KEY }).adminKey).toBe(ADMIN_KEY);
  });

  test("of two that start at once on an empty folder, the first one's are everyone's", () => {
    let first: unknown;
    // The key is generated between reading the folder and writing to it.
    const second = loadCredentials({ ...toConfig({}), dataDir }, () => {
      first ??= load();
      return "mk_of_the_second";
    });
    expect(second).toEqual(first);
    expect(kept()).toEqual(first);
    expect(readdirSync(dataDir)).toEqual(["credentials.json"]);
  });

  test("for a folder that cannot be written the error names the setting", () => {
    writeFileSync(join(dataDir, "file"), "");
    const config = { ...toConfig({}), dataDir: join(dataDir, "file", "below") };
    expect(() => loadCredentials(config, () => "mk_generated")).toThrow(/^DATA_DIR: .*credentials.json/);
  });

  test("a broken file is named, and not replaced", () => {
    writeFileSync(credentialsPath({ dataDir }), '{"adminKey":');
    expect(() => load()).toThrow(credentialsPath({ dataDir }));
    expect(readFileSync(credentialsPath({ dataDir }), "utf8")).toBe('{"adminKey":');
  });
});

test("mails need a server, a sender and the address that their links lead to", () => {
  const env = {
    SMTP_URL: "smtps://user:p%40ss@smtp.example.com",
    SMTP_FROM: "Magpie <magpie@example.com>",
    PUBLIC_URL: "https://magpie.example.com",
  };
  expect(toConfig({}).mail).toBeUndefined();
  expect(toConfig(env).mail).toEqual({
    url: env.SMTP_URL,
    from: { name: "Magpie", address: "magpie@example.com" },
    publicUrl: env.PUBLIC_URL,
  });
  for (const name of ["SMTP_FROM", "PUBLIC_URL"] as const)
    expect(() => toConfig({ ...env, [name]: undefined })).toThrow(new RegExp(`^${name}: .*with SMTP_URL`));
  for (const url of ["https://smtp.example.com", "smtp://", "smtp://a.test/path", "smtp://u:%zz@a.test"])
    expect(() => toConfig({ ...env, SMTP_URL: url })).toThrow(/^SMTP_URL: (?!.*p%40ss)/);
  for (const sender of ["nobody", "A <a@b.test>, B <b@b.test>", "A\r\nBcc: x <a@b.test>", "<a@b.test> x"])
    expect(() => toConfig({ ...env, SMTP_FROM: sender })).toThrow(/^SMTP_FROM: /);
});
