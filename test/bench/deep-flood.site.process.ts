/** A page of the given levels and a small one, in a process of their own. Sends its address when it listens. */
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

const deep = Buffer.from("<div>".repeat(Number(process.argv[2])));
const small = Buffer.from(
  "<title>Small</title><p>The text of a small page that is read in no time at all.</p>",
);

const server = createServer(({ url = "" }, response) => {
  response.writeHead(200, { "content-type": "text/html" }).end(url.startsWith("/deep") ? deep : small);
});
server.listen(0, "127.0.0.1", () => {
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.once("disconnect", () => process.exit());
