import { type Magpie, startMagpie } from "../support/magpie.ts";

let magpie: Magpie;

beforeEach(async () => {
  magpie = await startMagpie({ trustedProxies: ["127.0.0.1", "::1"] });
});

afterEach(() => magpie.stop());

/** A request of the client with this address, by way of a trusted proxy. */
async function ask(client: string, path: string, headers: Record<string, string>): Promise<number> {
  const from = { "x-forwarded-for": client, ...headers };
  return (await magpie.request("GET", path, { key: null, headers: from })).status;
}

const guess = (client: string) =>
  ask(client, "/internal/keys", { "x-admin-key": "a guess at the admin key" });

async function guessUntilBraked(client: string): Promise<number[]> {
  return await Promise.all(Array.from({ length: 40 }, () => guess(client)));
}

test("after many wrong admin keys of a client the right one still passes, from there and from elsewhere", async () => {
  const statuses = await guessUntilBraked("203.0.113.7");
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  const right = { "x-admin-key": magpie.adminKey };
  for (const client of ["203.0.113.7", "203.0.113.8"])
    expect(await ask(client, "/internal/keys", right)).toBe(200);
  expect(await guess("203.0.113.7")).toBe(429);
  expect(await guess("203.0.113.8")).toBe(401);
});

test("a braked answer says when to try again", async () => {
  await guessUntilBraked("203.0.113.7");
  const headers = { "x-forwarded-for": "203.0.113.7", "x-admin-key": "another guess at it" };
  const reply = await magpie.request("GET", "/internal/keys", { key: null, headers });
  expect(reply.json()).toMatchObject({ code: "rate_limited", retry_after: expect.any(Number) });
  expect(reply.headers.get("retry-after")).toMatch(/^\d+$/);
});

test("wrong API keys are braked, and a right one from the same address still works", async () => {
  const wrong = (at: number) => ask("203.0.113.7", "/tracked-users", wrongKey(at));
  const statuses = await Promise.all(Array.from({ length: 40 }, (_, at) => wrong(at)));
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect(await ask("203.0.113.7", "/users/me/api-keys", { "x-api-key": magpie.apiKey })).toBe(200);
});

/** In one of the two headers that carry an API key. */
function wrongKey(at: number): Record<string, string> {
  return at % 2 === 0 ? { "x-api-key": `a guess number ${at}` } : { authorization: `Bearer guess-${at}` };
}

test("the admin key in the place of an API key is told where it belongs, while its sender does not guess", async () => {
  const refusal = async (headers: Record<string, string>, path = "/tracked-users") =>
    (await magpie.request("GET", path, { key: null, headers })).json<{ message: string }>().message;
  const { adminKey } = magpie;
  const sent: Record<string, string>[] = [{ "x-api-key": adminKey }, { authorization: `Bearer ${adminKey}` }];
  for (const headers of sent)
    expect(await refusal(headers)).toContain(
      "This is the admin key, and no API key: send it in the x-admin-key",
    );
  const ofWrong = await refusal({ "x-api-key": `${adminKey}x` });
  expect(ofWrong).toContain("A valid API key is required");
  const below = [magpie.apiKey, adminKey, "neither of them"].map(key => ({ "x-api-key": key }));
  const said = await Promise.all(below.map(headers => refusal(headers, "/internal/keys")));
  expect(new Set(said)).toEqual(new Set([expect.stringContaining("which do not do here")]));
  const from = { "x-forwarded-for": "203.0.113.9" };
  await Promise.all(
    Array.from({ length: 40 }, (_, at) => ask("203.0.113.9", "/tracked-users", wrongKey(at))),
  );
  expect(await refusal({ ...from, "x-api-key": adminKey })).toContain("too many wrong tries");
});

test("a request without any key is no guess", async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, () => ask("203.0.113.7", "/internal/keys", {})),
  );
  expect(new Set(statuses)).toEqual(new Set([401]));
});

test("behind a proxy that nobody named, a stranger's guesses lock out nobody who has a key", async () => {
  const behind = await startMagpie();
  try {
    const asks = (headers: Record<string, string>) =>
      behind.request("GET", "/internal/keys", { key: null, headers });
    const statuses = await Promise.all(
      Array.from({ length: 40 }, (_, n) => asks({ "x-admin-key": `a guess, number ${n}` })),
    );
    expect(new Set(statuses.map(({ status }) => status))).toEqual(new Set([401, 429]));
    expect((await asks({ "x-admin-key": behind.adminKey })).status).toBe(200);
    for (const body of [{ admin_key: behind.adminKey }, { api_key: behind.apiKey }])
      expect((await behind.request("POST", "/session", { key: null, body })).status).toBe(201);
    const wrong = { admin_key: "a guess at the admin key" };
    expect((await behind.request("POST", "/session", { key: null, body: wrong })).status).toBe(429);
  } finally {
    await behind.stop();
  }
});
