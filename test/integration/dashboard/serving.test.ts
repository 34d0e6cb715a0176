import { createHash } from "node:crypto";
import { type Magpie, startMagpie } from "../../support/magpie.ts";

let magpie: Magpie;
beforeAll(async () => {
  magpie = await startMagpie();
});
afterAll(() => magpie.stop());

const get = (path: string, headers: Record<string, string> = {}) =>
  magpie.request("GET", path, { key: null, headers });

test.each(["/dashboard", "/dashboard/", "/dashboard/keys", "/dashboard/crawls/crw_1", "/dashboard?key=a"])(
  "the path %s answers with the page",
  async path => {
    const page = await get(path);
    expect(page.status).toBe(200);
    expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(page.text).toContain('<script type="module" src="/dashboard/main.ts">');
  },
);

test("the policy permits the import map of the page and no other script in it", async () => {
  const { text, headers } = await get("/dashboard");
  const inline = [...text.matchAll(/<script(?![^>]*\ssrc=)[^>]*>(.*?)<\/script>/gs)].map(
    ([, code = ""]) => code,
  );
  expect(inline).toHaveLength(1);
  const digest = createHash("sha256")
    .update(inline[0] ?? "")
    .digest("base64");
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain(`script-src 'self' 'sha256-${digest}';`);
  expect(policy).not.toContain("unsafe");
  for (const rule of ["default-src 'none'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"])
    expect(policy).toContain(rule);
});

test("every file that the page names exists on this server", async () => {
  const { text } = await get("/dashboard");
  const named = [...text.matchAll(/(?:href|src)="([^"]+)"|:"(\/[^"]+)"/g)].map(([, a, b]) => a ?? b ?? "");
  expect(named.length).toBeGreaterThan(30);
  for (const path of named) {
    expect(path).toMatch(/^\//);
    const file = await get(path);
    expect([path, file.status]).toEqual([path, 200]);
  }
});

test("a browser gets files without types, line by line", async () => {
  const { text, headers } = await get("/dashboard/shell/session.ts");
  expect(headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(text).not.toContain("interface Session");
  expect(text).toContain("export const session = signal");
});

test("a file that has not changed is not sent again", async () => {
  const first = await get("/dashboard/tokens.css");
  expect(first.headers.get("cache-control")).toBe("no-cache");
  const etag = first.headers.get("etag") ?? "";
  expect(etag).toMatch(/^"[\w-]{22}"$/);
  expect(await get("/dashboard/tokens.css", { "if-none-match": etag })).toMatchObject({
    status: 304,
    text: "",
  });
  expect(await get("/dashboard/tokens.css", { "if-none-match": '"another", W/"one"' })).toMatchObject({
    status: 200,
  });
});

test.each([
  "/dashboard/nothing.ts",
  "/dashboard/shell/nothing.css",
  "/dashboard/..%2Fpackage.json",
  "/dashboard/%2e%2e%2f%2e%2e%2fpackage.json",
  "/dashboard/packages/..%2f..%2fpackage.json",
  "/dashboard/__proto__.ts",
])("the path %s is no file", async path => {
  expect(await get(path)).toMatchObject({ status: 404 });
});

test("the paths of the dashboard and the session do not exist when the dashboard is off", async () => {
  const off = await startMagpie({ dashboard: false });
  try {
    for (const path of ["/dashboard", "/dashboard/keys", "/dashboard/main.ts", "/session"])
      expect(await off.request("GET", path, { key: null })).toMatchObject({ status: 404 });
  } finally {
    await off.stop();
  }
});
