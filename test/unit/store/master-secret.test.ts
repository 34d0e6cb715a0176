import { type StoredFact, verifyMasterSecret } from "../../../mixins/store/master-secret.ts";
import { fail } from "../../../services/contracts/errors.ts";

const secret = "a master secret of the tests";
const other = "another one of the tests";

/** Facts that all nodes look for before the first of them writes. */
function factsOfMany() {
  const kept = new Map<string, StoredFact>();
  let looks = 0;
  return {
    findById: async (id: string) => {
      looks += 1;
      return looks <= 2 ? null : (kept.get(id) ?? null);
    },
    insert: async (fact: StoredFact) => {
      if (kept.has(fact._id)) throw fail("conflict", "It is there.");
      kept.set(fact._id, fact);
      return fact;
    },
  };
}

function start(...secrets: string[]) {
  const facts = factsOfMany();
  return Promise.allSettled(secrets.map(each => verifyMasterSecret(facts, each)));
}

test("of nodes that start at the same time all go on that have the same secret, and no others", async () => {
  expect(await start(secret, secret)).toMatchObject([{ status: "fulfilled" }, { status: "fulfilled" }]);
  expect(await start(secret, other)).toMatchObject([
    { status: "fulfilled" },
    { reason: { message: expect.stringMatching(/^MASTER_SECRET is not the one/) } },
  ]);
});
