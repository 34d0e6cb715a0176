import { once } from "node:events";
import { createServer } from "node:net";
import { openMongo } from "../../mixins/cluster/mongo.ts";

test.each([
  ["nobody listens", "mongodb://magpie:geheim@127.0.0.1:PORT/x", /^MONGO_URL: the server cannot be reached/],
  [
    "it is no connection string",
    "mongodb://magpie:geheim@:PORT:1/x",
    /^MONGO_URL: this is not a connection string/,
  ],
])("when %s the message names the variable and no password", async (_, url, message) => {
  const port = await closedPort();
  const where = { mongoUrl: url.replace("PORT", String(port)), namespace: "test" };
  const error = await openMongo(where).catch(reason => reason);
  expect(error).toMatchObject({ message: expect.stringMatching(message) });
  expect(`${error.message} ${error.cause ?? ""}`).not.toContain("geheim");
});

async function closedPort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  await once(probe, "close");
  return typeof address === "object" && address ? address.port : 1;
}
