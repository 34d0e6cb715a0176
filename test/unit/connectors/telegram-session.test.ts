import { mkdir, mkdtemp, readdir, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSqliteStore } from "../../../mixins/store/sqlite/sqlite-store.ts";
import type { Store } from "../../../mixins/store/store.ts";
import {
  openStoredSession,
  type StoredSession,
  sessionInFile,
  sessionInStore,
  sessionsCollection,
} from "../../../services/connectors/platforms/telegram/stored-session.ts";
import { codeOf } from "../../../services/contracts/errors.ts";
import { removeFolder } from "../../support/folders.ts";

const secret = "a secret of sixteen letters";
const channel = {
  id: -1_000_000_000_012,
  accessHash: "ab",
  isMin: false,
  usernames: ["Magpies"],
  updated: 1,
  complete: Uint8Array.of(1, 2),
};

test("lies sealed in a store, where another process finds it", async () => {
  const folder = await mkdtemp(join(tmpdir(), "magpie-session-"));
  const { store, close } = await openSqliteStore(join(folder, "magpie.db"), [[sessionsCollection, []]]);
  const sessions = store as unknown as Store<StoredSession>;
  const first = await openStoredSession(sessionInStore(sessions), secret);
  await first.authKeys.set(2, Uint8Array.of(7, 8));
  await first.peers.store(channel);
  await first.driver.save?.();
  const other = await openStoredSession(sessionInStore(sessions), secret);
  expect(await other.authKeys.get(2)).toEqual(Uint8Array.of(7, 8));
  expect(await other.peers.getByUsername("magpies")).toEqual(channel);
  expect(await sessions.find()).toEqual([{ _id: "telegram", sealed: expect.stringMatching(/^v1\.[\w-]+$/) }]);
  await close();
  await removeFolder(folder);
});

describe("openStoredSession", () => {
  let folder: string;
  let path: string;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "magpie-session-"));
    path = join(folder, "below", "telegram.session");
  });
  afterEach(() => removeFolder(folder));

  const open = (masterSecret = secret) => openStoredSession(sessionInFile(path), masterSecret);

  test("keeps keys at once, and what is set when it is saved", async () => {
    const file = await open();
    await file.authKeys.set(2, Uint8Array.of(7, 8));
    expect(await (await open()).authKeys.get(2)).toEqual(Uint8Array.of(7, 8));
    await file.kv.set("dc_main", Uint8Array.of(9));
    await file.peers.store(channel);
    expect(await (await open()).kv.get("dc_main")).toBeNull();
    await file.driver.save?.();
    const again = await open();
    expect(await again.kv.get("dc_main")).toEqual(Uint8Array.of(9));
    expect(await again.peers.getById(channel.id)).toEqual(channel);
    expect(await again.peers.getByUsername("magpies")).toEqual(channel);
    expect(await readdir(join(folder, "below"))).toEqual(["telegram.session"]);
    await again.authKeys.deleteAll();
    expect(await (await open()).authKeys.get(2)).toBeNull();
  });

  test("writes nothing when nothing has changed that must not be lost", async () => {
    const file = await open();
    await file.peers.store(channel);
    await file.driver.save?.();
    const before = await readFile(path, "utf8");
    await file.peers.store({ ...channel, updated: 2, complete: Uint8Array.of(3) });
    await file.driver.save?.();
    expect(await readFile(path, "utf8")).toBe(before);
    expect(await file.peers.getById(channel.id)).toMatchObject({ updated: 2 });
    await file.peers.store({ ...channel, accessHash: "cd" });
    await file.driver.save?.();
    expect(await readFile(path, "utf8")).not.toBe(before);
  });

  test("keeps no people, and no partial description over a whole one", async () => {
    const { peers } = await open();
    await peers.store({ ...channel, id: 77 });
    expect(await peers.getById(77)).toBeNull();
    await peers.store({ ...channel, isMin: true });
    expect(await peers.getByUsername("magpies")).toBeNull();
    await peers.store(channel);
    await peers.store({ ...channel, isMin: true, accessHash: "" });
    expect(await peers.getByUsername("magpies")).toEqual(channel);
  });

  test("a name leads to whom it belongs to now", async () => {
    const { peers } = await open();
    await peers.store(channel);
    await peers.store({ ...channel, usernames: ["Ravens"] });
    expect(await peers.getByUsername("magpies")).toBeNull();
    expect(await peers.getByUsername("ravens")).toMatchObject({ id: channel.id });
    const heir = { ...channel, id: channel.id - 1, usernames: ["ravens"] };
    await peers.store(heir);
    await peers.store({ ...channel, usernames: [] });
    expect(await peers.getByUsername("ravens")).toEqual(heir);
  });

  test("saves what another save could not write", async () => {
    const file = await open();
    await file.kv.set("name", Uint8Array.of(1));
    const draft = `${path}.${process.pid}`;
    await mkdir(draft, { recursive: true });
    await expect(file.driver.save?.()).rejects.toThrow("EISDIR");
    await removeFolder(draft);
    await file.driver.save?.();
    expect(await (await open()).kv.get("name")).toEqual(Uint8Array.of(1));
  });

  test("nobody without the secret reads it", async () => {
    const file = await open();
    await file.authKeys.set(2, new TextEncoder().encode("the key itself"));
    expect(await readFile(path, "utf8")).toMatch(/^v1\.[\w-]+$/);
    const error = await open("another secret of enough letters").catch(failed => failed);
    expect(codeOf(error)).toBe("connector_unavailable");
  });
});
