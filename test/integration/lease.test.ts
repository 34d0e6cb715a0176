import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { ServiceBroker } from "moleculer";
import { openEmbeddedLeases } from "../../mixins/coordination/leases/embedded.leases.ts";
import { leaseMixin, type WithLeases } from "../../mixins/coordination/leases/lease.mixin.ts";
import type { OpenLeases } from "../../mixins/coordination/leases/lease.ts";
import { leaseSuite } from "../suites/lease.suite.ts";
import { removeFolder } from "../support/folders.ts";

const folder = mkdtempSync(join(tmpdir(), "magpie-lease-"));
afterAll(() => removeFolder(folder));

leaseSuite("embedded", async () => {
  const opened: OpenLeases[] = [];
  return {
    open: () => {
      const leases = openEmbeddedLeases(folder);
      opened.push(leases);
      return leases;
    },
    close: async () => {
      await Promise.all(opened.map(leases => leases.close()));
    },
  };
});

describe("the embedded leases", () => {
  test("services of one process share them; another data folder knows nothing of them", async () => {
    const broker = new ServiceBroker({ logger: false });
    const dataDirs = { one: folder, two: folder, other: join(folder, "other") };
    const services = Object.entries(dataDirs).map(([name, dataDir]) =>
      broker.createService({ name, mixins: [leaseMixin({ dataDir })] }),
    );
    await broker.start();
    const leases = services.map(service => (service as unknown as WithLeases).leases);
    const taken = await Promise.all(leases.map(each => each.take("a")));
    expect(taken.map(lease => lease?.isHeld())).toEqual([true, undefined, true]);
    await broker.stop();
    expect(taken[0]?.isHeld()).toBe(false);
  });
});
