import type { Caller } from "../../contracts/caller.ts";
import { fail } from "../../contracts/errors.ts";
import type { Gateway, Request, Response } from "../gateway.ts";
import type { Auth } from "../route.ts";
import { spendRequest, type TakesHeaders } from "./spend-request.ts";

const maxKeyLength = 512;

const unauthorized = {
  key: "A valid API key is required in the x-api-key header.",
  admin: "The admin key is required in the x-admin-key header.",
  either: "A valid API key in the x-api-key header, or the admin key in the x-admin-key header, is required.",
};

/**
 * Lets a request in, or throws 401 or 429. Runs before the body is read: whoever has no key cannot make the gateway
 * parse anything. Missing, malformed and unknown keys give one and the same answer.
 */
export async function admit(
  gateway: Gateway,
  req: Request,
  res: Response,
  auth: Auth,
): Promise<Caller | undefined> {
  if (auth === "none") return undefined;
  if (auth !== "key" && isAdmin(gateway, req)) return undefined;
  if (auth === "admin") throw fail("unauthorized", unauthorized.admin);
  return await admitKey(gateway, req.headers["x-api-key"], res, unauthorized[auth]);
}

/** Lets a key value in, wherever it came from, as one request of its window. Throws 401 or 429. */
export async function admitKey(
  gateway: Gateway,
  key: unknown,
  res: TakesHeaders,
  refusal = unauthorized.key,
): Promise<Caller> {
  const caller = isPlausible(key) ? await gateway.keyCache.find(key) : null;
  if (!caller) throw fail("unauthorized", refusal);
  await spendRequest(gateway.limiter, caller, res);
  gateway.usage.count(caller.keyId);
  return caller;
}

function isAdmin(gateway: Gateway, req: Request): boolean {
  const value = req.headers["x-admin-key"];
  return isPlausible(value) && gateway.isAdmin(value);
}

function isPlausible(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxKeyLength;
}
