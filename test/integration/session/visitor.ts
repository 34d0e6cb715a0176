import { type Magpie, type Reply, startMagpie } from "../../support/magpie.ts";

/** A page of the gateway's own origin, with the cookie that it was given. */
export interface Page {
  headers: Record<string, string>;
  ask(method: string, path: string, body?: object, headers?: Record<string, string>): Promise<Reply>;
}

let visitors = 0;

/** A gateway that trusts `X-Forwarded-For`, so that each test may have addresses of its own. */
export function startGateway(...[overrides, ...rest]: Parameters<typeof startMagpie>): Promise<Magpie> {
  return startMagpie({ trustedProxies: ["127.0.0.1", "::1"], ...overrides }, ...rest);
}

/** An address that nobody else has. */
export function newAddress(): string {
  visitors += 1;
  return `198.51.100.${visitors}`;
}

/** Signs in from an address, by default one of its own. */
export async function signIn(
  magpie: Pick<Magpie, "request">,
  body: object,
  { from = newAddress(), path = "/session" } = {},
): Promise<{ reply: Reply; page: Page }> {
  const reply = await magpie.request("POST", path, { key: null, body, headers: { "x-forwarded-for": from } });
  return { reply, page: pageOf(magpie, reply, from) };
}

/** The page that has the cookie of an answer. */
export function pageOf(magpie: Pick<Magpie, "request">, reply: Reply, from = newAddress()): Page {
  const cookie = reply.headers.get("set-cookie")?.split(";")[0] ?? "";
  const own = {
    cookie,
    "sec-fetch-site": "same-origin",
    "x-magpie-csrf": "1",
    "x-forwarded-for": from,
  };
  return {
    headers: own,
    ask: (method, path, body, headers = {}) =>
      magpie.request(method, path, { key: null, headers: { ...own, ...headers }, body }),
  };
}

/** Makes an owner who can sign in, by the administrator's link. */
export async function newOwner(
  magpie: Pick<Magpie, "request">,
  owner: string,
  password: string,
): Promise<Page> {
  const token = await linkFor(magpie, owner);
  return (await signIn(magpie, { token, password }, { path: "/session/password" })).page;
}

/** The token of a new one-time link. */
export async function linkFor(magpie: Pick<Magpie, "request">, owner: string): Promise<string> {
  const path = `/internal/owners/${encodeURIComponent(owner)}/link`;
  const reply = await magpie.request("POST", path, { admin: true });
  const { data } = reply.json<{ data: { path: string } }>();
  return data.path.replace("/dashboard/welcome#", "");
}

export async function newKey(
  magpie: Pick<Magpie, "request">,
  owner: string,
  limits = {},
): Promise<{ id: string; key: string }> {
  const body = { owner, name: "n", limits };
  const reply = await magpie.request("POST", "/internal/keys", { admin: true, body });
  return reply.json<{ data: { id: string; key: string } }>().data;
}
