import type { Logger, ServiceBroker } from "moleculer";
import { memoryLimiter } from "../../../../mixins/coordination/limiter/memory.limiter.ts";
import type { ClientRequest } from "../../../../services/api/http/guess-limiter.ts";
import { guessLimiters } from "../../../../services/api/http/guess-limits.ts";
import { Sessions } from "../../../../services/api/session/sessions.ts";
import { SignIn } from "../../../../services/api/session/sign-in.ts";
import { codeOf } from "../../../../services/contracts/errors.ts";
import { parseAllowList } from "../../../../services/domain/url/address-policy.ts";

const logger = { info: () => undefined, warn: () => undefined } as unknown as Logger;

/** A sign-in whose passwords are all wrong, and how many were compared. */
function signIn() {
  const compared: string[] = [];
  const broker = {
    call: async (_action: string, { owner }: { owner: string }) => {
      compared.push(owner);
      await new Promise(setImmediate);
      return null;
    },
  } as unknown as ServiceBroker;
  const limiter = memoryLimiter();
  const { adminGuesses, signInGuesses: guesses, ownerGuesses } = guessLimiters(() => limiter, logger);
  const sessions = new Sessions("an-admin-key-of-some-length", broker);
  const trustedProxies = parseAllowList([]);
  const isAdmin = () => false;
  const of = { broker, logger, sessions, isAdmin, adminGuesses, guesses, ownerGuesses, trustedProxies };
  return { compared, signIn: new SignIn(of) };
}

const from = (address: string) =>
  ({ socket: { remoteAddress: address }, headers: {} }) as unknown as ClientRequest;

test("of many tries of one client at once no more are compared than allowed", async () => {
  const { compared, signIn: tried } = signIn();
  const tries = Array.from({ length: 40 }, (_, at) =>
    tried.open(from("198.51.100.1"), { way: "owner", owner: `owner ${at}`, value: "wrong" }).catch(codeOf),
  );
  const codes = await Promise.all(tries);
  expect(compared).toHaveLength(5);
  expect(codes.filter(code => code === "unauthorized")).toHaveLength(5);
  expect(codes.filter(code => code === "rate_limited")).toHaveLength(35);
});

test("passwords of one owner cannot be tried from any number of addresses", async () => {
  const { compared, signIn: tried } = signIn();
  const codes: (string | undefined)[] = [];
  for (let at = 0; at < 40; at += 1) {
    const credentials = { way: "owner", owner: "ada", value: "wrong" } as const;
    codes.push(await tried.open(from(`198.51.100.${at}`), credentials).then(() => "opened", codeOf));
  }
  expect(compared).toHaveLength(30);
  expect(codes.slice(0, 30)).toEqual(Array(30).fill("unauthorized"));
  expect(codes.slice(30)).toEqual(Array(10).fill("rate_limited"));
});
