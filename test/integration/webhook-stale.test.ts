import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { createEgress } from "../../mixins/egress/egress.ts";
import { send } from "../../services/webhook-dispatcher/engine/send.ts";

const answer = "HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok";

/** Answers the first request of each connection and hangs up on the second; `firsts` of them hang up at once. */
async function hangingUp(firsts = 0) {
  let connections = 0;
  const server = createServer(socket => {
    connections += 1;
    let requests = connections > 1 && connections <= 1 + firsts ? 1 : 0;
    socket.on("error", () => socket.destroy());
    socket.on("data", () => {
      requests += 1;
      if (requests === 1) socket.write(answer);
      else socket.destroy();
    });
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  return { url, server, connections: () => connections };
}

test.each([
  ["a connection that was closed as it was used again is no failure of the receiver", 0, null],
  ["a receiver that hangs up on a fresh connection has failed", 1, "connection"],
])("%s", async (_, firsts, error) => {
  const { url, server, connections } = await hangingUp(firsts);
  const egress = createEgress({ allow: ["127.0.0.1/32"] });
  const request = { url, headers: { "content-type": "application/json" }, body: "{}" };
  expect(await send(egress.agent(), request)).toMatchObject({ status: 200, error: null });
  expect(await send(egress.agent(), request)).toMatchObject({ error });
  expect(connections()).toBe(2);
  await egress.close();
  server.close();
});
