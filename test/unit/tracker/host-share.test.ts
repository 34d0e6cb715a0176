import { HostShare } from "../../../services/tracker/host-share.ts";

function held() {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { work: () => promise, resolve };
}

test("a host holds its share and no more; others find room", async () => {
  const share = new HostShare(2, 100);
  const [first, second] = [held(), held()];
  const running = [share.run("a", 0, first.work), share.run("a", 0, second.work)];
  const refused = async () => Promise.reject(new Error("must not run"));
  expect([await share.run("a", 0, refused), await share.run("a", 10, refused)]).toEqual([100, 200]);
  expect(await share.run("a", 5000, refused)).toBe(5100);
  expect(await share.run("b", 0, async () => undefined)).toBeNull();
  first.resolve();
  expect(await running[0]).toBeNull();
  expect(await share.run("a", 6000, async () => undefined)).toBeNull();
  second.resolve();
  await running[1];
});

test("work that fails gives its room back", async () => {
  const share = new HostShare(1, 100);
  await expect(share.run("a", 0, () => Promise.reject(new Error("broken")))).rejects.toThrow("broken");
  expect(await share.run("a", 0, async () => undefined)).toBeNull();
});
