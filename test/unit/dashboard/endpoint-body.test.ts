Object.assign(globalThis, {
  location: new URL("http://magpie.test/dashboard"),
  addEventListener: () => undefined,
});

import type { WebhookState } from "../../../services/contracts/endpoint-options.ts";

const { bodyOf } = await import("../../../dashboard/webhook/endpoint-body.ts");

const wanted = { types: [], sources: [], tags: "", meaningful: false };
const values = { url: " mailto:a@example.org ", is_batched: "yes", max_events: "5", max_wait_ms: "10" };
const batch = { max_events: 5, max_wait_ms: 10 };

test("a digest is sent for mail addresses only, in place of batches", () => {
  expect(bodyOf({ ...values, digest: "1h" }, wanted)).toMatchObject({
    url: "mailto:a@example.org",
    digest: "1h",
    batch: null,
  });
  expect(bodyOf({ ...values, digest: "" }, wanted)).toMatchObject({ digest: null, batch });
  const program = bodyOf({ ...values, url: "https://example.org/", digest: "1h" }, wanted);
  expect(program).toMatchObject({ batch });
  expect(program).not.toHaveProperty("digest");
});

test.each([
  ["a@example.org", "mailto:a@example.org"],
  [" a+b@example.org ", "mailto:a+b@example.org"],
  ["MAILTO:a@example.org", "MAILTO:a@example.org"],
  ["https://user@example.org/", "https://user@example.org/"],
  ["https://example.org/@a", "https://example.org/@a"],
])("the address %s is sent as %s", (url, sent) => {
  expect(bodyOf({ ...values, url }, wanted)).toMatchObject({ url: sent });
});

test("what a judge has dismissed is left out where that is chosen, and the field is named only when it changes", () => {
  const meaningful = { ...wanted, meaningful: true };
  const before = { meaningful: true } as Parameters<typeof bodyOf>[2];
  expect(bodyOf(values, meaningful)).toMatchObject({ meaningful: true });
  expect(bodyOf(values, wanted)).not.toHaveProperty("meaningful");
  expect(bodyOf(values, meaningful, before)).not.toHaveProperty("meaningful");
  expect(bodyOf(values, wanted, before)).toMatchObject({ meaningful: false });
});

describe("expressions and rate", () => {
  const wanted = { types: [], sources: [], tags: "", meaningful: false };
  const known = { filter: "a", transform: "b", rate: { per_second: 1, burst: 2 } } as WebhookState;
  const made = (values: Record<string, string>, before?: WebhookState) => {
    const { filter, transform, rate } = bodyOf({ url: "https://a.test/", ...values }, wanted, before);
    return { filter, transform, rate };
  };

  test.each<[Record<string, string>, WebhookState | undefined, object]>([
    [
      { filter: " x ", transform: "y", per_second: "2" },
      undefined,
      { filter: "x", transform: "y", rate: { per_second: 2 } },
    ],
    [{ filter: "", transform: "", per_second: "" }, undefined, {}],
    [{ filter: "a", transform: "b", per_second: "" }, known, { rate: null }],
    [
      { filter: "", transform: "", per_second: "3", burst: "9" },
      known,
      { filter: null, transform: null, rate: { per_second: 3, burst: 9 } },
    ],
    // What another format makes has no transform.
    [{ filter: "a", transform: "b", format: "slack" }, known, { transform: null }],
  ])("%j", (values, before, body) => {
    expect(JSON.parse(JSON.stringify(made(values, before)))).toEqual(body);
  });
});

describe("destinations", () => {
  const folder = { "destination.type": "folder", "destination.path": "shop", name: "", is_batched: "no" };

  test("a new one has no option of URLs", () => {
    const made = bodyOf({ ...folder, format: "slack", filter: "", timeout_s: "5" }, wanted);
    const destination = { type: "folder", path: "shop" };
    expect(made).toEqual({ destination, name: null, batch: null, timeout_ms: 5000 });
  });

  test("one that takes the place of a URL ends what only URLs have", () => {
    const before = { destination: null, format: "slack", transform: null } as WebhookState;
    expect(bodyOf(folder, wanted, before)).toMatchObject({
      format: "standard",
      ...{ template: null, transform: null, headers: null, metadata: null, client_certificate: null },
    });
    const changed = { destination: { type: "folder" } } as WebhookState;
    expect(bodyOf(folder, wanted, changed)).not.toHaveProperty("format");
  });

  test("a URL takes its place", () => {
    const before = { destination: { type: "folder" }, format: "standard" } as WebhookState;
    const made = bodyOf({ ...values, "destination.type": "", url: "https://a.test/" }, wanted, before);
    expect(made).toMatchObject({ url: "https://a.test/" });
    expect(made).not.toHaveProperty("destination");
  });
});
