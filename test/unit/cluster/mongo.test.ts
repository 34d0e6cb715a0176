import type { MongoClient } from "mongodb";
import { connectFirst, mapMongoErrors } from "../../../mixins/cluster/mongo.ts";
import { codeOf } from "../../../services/contracts/errors.ts";

const error = (message: string, fields: object = {}) => Object.assign(new Error(message), fields);

/** A client of a server that answers `hello` so, and refuses one step. */
function clientOf(maxWireVersion: number, refused: { connect?: Error; list?: Error } = {}): MongoClient {
  const answer = async (refusal?: Error) => {
    if (refusal) throw refusal;
  };
  const client = {
    connect: () => answer(refused.connect),
    db: () => ({
      command: async () => ({ maxWireVersion }),
      listCollections: () => ({ hasNext: () => answer(refused.list) }),
    }),
  };
  return client as unknown as MongoClient;
}

test.each<[string, MongoClient, string]>([
  ["is of MongoDB 4.4", clientOf(9), "too old"],
  [
    "is older than the driver knows",
    clientOf(1, { connect: error("", { name: "MongoCompatibilityError" }) }),
    "too old",
  ],
  [
    "does not know the user",
    clientOf(21, { connect: error("bad auth", { code: 18 }) }),
    "the user or the password",
  ],
  [
    "wants a user",
    clientOf(21, { list: error("command requires authentication", { code: 13 }) }),
    "authSource",
  ],
  ["has a certificate of its own", clientOf(21, { connect: error("self-signed certificate") }), "tlsCAFile"],
  ["is not there", clientOf(21, { connect: error("connect ECONNREFUSED") }), "Check that it runs"],
])("a server that %s: the message names MONGO_URL and the cure", async (_, client, message) => {
  const reason = await connectFirst(client, "magpie").catch((refusal: Error) => refusal.message);
  expect(reason).toMatch(/^MONGO_URL: /);
  expect(reason).toContain(message);
});

test("a server of MongoDB 5.0 will do", async () => {
  await expect(connectFirst(clientOf(13), "magpie")).resolves.toBeUndefined();
});

test.each<[string, Error, boolean]>([
  ["a connection that broke", error("closed", { name: "MongoNetworkError" }), true],
  ["no server within the time", error("timed out", { name: "MongoServerSelectionError" }), true],
  ["a primary that steps down", error("not primary", { name: "MongoServerError", code: 10_107 }), true],
  ["a socket that was closed", error("ended by the other party", { code: "EPIPE" }), true],
  ["a write that no majority has", error("wtimeout", { name: "MongoWriteConcernError", code: 64 }), true],
  [
    "a bulk whose connection broke",
    error("closed", {
      name: "MongoBulkWriteError",
      errorResponse: error("closed", { name: "MongoNetworkError" }),
    }),
    true,
  ],
  [
    "a bulk with a value that is taken",
    error("E11000", {
      name: "MongoBulkWriteError",
      code: 11_000,
      errorResponse: { message: "E11000", code: 11_000 },
    }),
    false,
  ],
  ["a unique value that is taken", error("E11000", { name: "MongoServerError", code: 11_000 }), false],
  ["an error of the program", new TypeError("Not a name"), false],
])("%s", async (_, error, isOverload) => {
  const thrown = await mapMongoErrors(Promise.reject(error)).catch(reason => reason);
  expect(codeOf(thrown)).toBe(isOverload ? "overloaded" : undefined);
  expect(isOverload ? thrown.cause : thrown).toBe(error);
});
