import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { openHealthServer } from "../../../mixins/cluster/health-server.ts";

const open = (host: string, healthPort: number) => openHealthServer({} as never, { host, healthPort });

test("for a port in use the error names HEALTH_PORT", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await once(taken, "listening");
  const { port } = taken.address() as AddressInfo;
  await expect(open("127.0.0.1", port)).rejects.toThrow(/^HEALTH_PORT: .*EADDRINUSE.* a free port/);
  taken.close();
});

test.each(["192.0.2.1", "no.such.host.invalid"])(
  "the address %s, which is not this machine's, by HOST",
  async host => {
    await expect(open(host, 0)).rejects.toThrow(/^HOST: cannot listen on .* an address of this machine/);
  },
);
