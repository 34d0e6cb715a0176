import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

/* One story: each test continues where the one before ended. */
const password = "a long enough password";
let dashboard: Dashboard;
let admin: Tab;
let owner: Tab;
let link = "";
let key = "";

beforeAll(async () => {
  dashboard = await openDashboard();
});
afterAll(() => dashboard.close());

const secretOf = (tab: Tab) => tab.page.$eval("dialog .secret code", code => code.textContent ?? "");

const ask = (method: string, path: string, headers: Record<string, string>, body?: object) =>
  fetch(dashboard.url + path, {
    method,
    headers: { "content-type": "application/json", ...headers },
    ...(body ? { body: JSON.stringify(body) } : {}),
    signal: AbortSignal.timeout(120_000),
  });

test("a wrong key is refused with a sentence that says what to do", async () => {
  admin = await dashboard.open("/keys");
  await admin.fill("Admin key or API key", "not-the-admin-key");
  await admin.click("Sign in");
  await admin.sees("This is neither the admin key nor an API key.");
});

test("the administrator signs in by the keyboard alone and sees the requested page", async () => {
  const fresh = await dashboard.open("/keys");
  await fresh.page.waitForFunction(() => (document.activeElement as HTMLInputElement).name === "key");
  const radios = await fresh.page.$$eval("input[type=radio]", found => found.map(each => each.name));
  expect(radios).toEqual(["way", "way"]);
  expect(await fresh.findings()).toEqual([]);
  await fresh.page.keyboard.type(dashboard.adminKey);
  await fresh.page.keyboard.press("Enter");
  await fresh.page.waitForFunction(() => document.activeElement?.tagName === "H1");
  expect(await fresh.page.$eval("h1", heading => heading.textContent)).toBe("Keys");
  await fresh.close();
  await admin.signIn({ admin_key: dashboard.adminKey });
  await admin.isAt("/keys");
  expect(await admin.text()).toContain("Signed in as Administrator");
});

test("the administrator invites an owner and sees its link once", async () => {
  await admin.click("Owners");
  await admin.sees("Name begins with");
  await admin.click("Invite an owner");
  await admin.fill("Name", "acme");
  await admin.click("Make a link");
  await admin.sees("Send this link");
  link = await secretOf(admin);
  expect(link.startsWith(`${dashboard.url}/dashboard/welcome#`)).toBe(true);
  expect(await admin.findings()).toEqual([]);
  await admin.click("Done");
  await admin.sees("acme");
  expect(await admin.page.content()).not.toContain(link.split("#")[1]);
});

test("the owner sets its password with the link and is signed in", async () => {
  owner = await dashboard.open(new URL(link).pathname.replace("/dashboard", "") + new URL(link).hash);
  await owner.fill("Password", password);
  await owner.fill("Repeat the password", "another password");
  await owner.click("Set password and sign in");
  await owner.sees("The two passwords differ.");
  expect(await owner.findings()).toEqual([]);
  await owner.fill("Repeat the password", password);
  await owner.click("Set password and sign in");
  await owner.sees("You have no key yet");
  await owner.isAt("/");
});

test("the link works once", async () => {
  const other = await dashboard.open(new URL(link).pathname.replace("/dashboard", "") + new URL(link).hash);
  await other.fill("Password", "another password of mine");
  await other.fill("Repeat the password", "another password of mine");
  await other.click("Set password and sign in");
  await until(
    "it is refused",
    async () => (await other.page.$eval(".form-error", e => e.textContent)) !== "",
  );
  expect(await other.text()).not.toContain("Overview");
  await other.close();
});

test("the owner signs out and in again and sees no page of the administrator", async () => {
  await owner.click("Sign out");
  await owner.sees("Sign in");
  await owner.signIn({ owner: "acme", password });
  expect(await owner.text()).toContain("Signed in as acme");
  await owner.go("/owners");
  await owner.sees("There is no such page");
});

test("the owner generates a key and sees its value once", async () => {
  await owner.go("/keys");
  await owner.click("Generate a key");
  await owner.fill("Name", "production");
  await owner.click("Generate");
  await owner.sees("Copy the key now");
  key = await secretOf(owner);
  expect(key).toMatch(/^mk_\w{20,}$/);
  await owner.click("I have saved it");
  await owner.sees(`mk_…${key.slice(-4)}`);
  expect(await owner.page.content()).not.toContain(key);
  await owner.page.reload();
  await owner.sees(`mk_…${key.slice(-4)}`);
  expect(await owner.page.content()).not.toContain(key);
});

test("the owner binds the key to scopes and an end, and frees it again", async () => {
  const stored = async () => {
    const answer = await ask("GET", "/internal/keys", { "x-admin-key": dashboard.adminKey });
    const { data } = (await answer.json()) as {
      data: { name: string; scopes: unknown; expires_at: unknown }[];
    };
    return data.find(({ name }) => name === "production");
  };
  await owner.click("Edit production");
  await owner.page.$eval('[name="scopes.read"]', box => (box as HTMLInputElement).click());
  await owner.page.$eval('[name="expires_at"]', field => {
    (field as HTMLInputElement).value = "2099-12-31T23:59:59";
  });
  await owner.click("Save");
  await owner.sees("production is saved.");
  const row = () => owner.page.$eval("tbody tr", cells => cells.textContent ?? "");
  await until("the list says it", async () => /Read.*2099/.test(await row()));
  expect(await stored()).toMatchObject({
    scopes: ["read"],
    expires_at: new Date("2099-12-31T23:59:59").toISOString(),
  });

  await owner.click("Edit production");
  expect(await owner.page.$eval('[name="expires_at"]', field => (field as HTMLInputElement).value)).toBe(
    "2099-12-31T23:59:59",
  );
  await owner.page.$eval('[name="scopes.read"]', box => (box as HTMLInputElement).click());
  await owner.page.$eval('[name="content_uses.train_ai"]', box => (box as HTMLInputElement).click());
  await owner.page.$eval('[name="expires_at"]', field => {
    (field as HTMLInputElement).value = "";
  });
  await owner.click("Save");
  await until(
    "the list says it",
    async () => (await row()).includes("everything") && !(await row()).includes("ends"),
  );
  expect(await stored()).toMatchObject({ scopes: null, expires_at: null, content_uses: ["train_ai"] });
});

test("the eleventh key is refused with the reason in the form", async () => {
  for (let at = 2; at <= 10; at++) {
    const made = await ask(
      "POST",
      "/internal/keys",
      { "x-admin-key": dashboard.adminKey },
      { owner: "acme", name: `key ${at}` },
    );
    expect(made.status).toBe(201);
  }
  await owner.click("Generate a key");
  await owner.fill("Name", "one too many");
  await owner.click("Generate");
  await until("it is refused", async () =>
    /10/.test(await owner.page.$eval("dialog .form-error", e => e.textContent ?? "")),
  );
  await owner.click("Cancel");
  await until("there are ten", async () => (await owner.page.$$eval("tbody tr", rows => rows.length)) === 10);
});

test("a key is renamed, and another is deleted after its name is typed", async () => {
  await owner.click("Edit key 2");
  await owner.fill("Name", "staging");
  await owner.click("Save");
  await owner.sees("staging is saved.");
  await owner.click("Delete key 3");
  await owner.sees("Delete this key?");
  const isReady = () =>
    owner.page.$eval("dialog button[type=submit]", button => !(button as HTMLButtonElement).disabled);
  expect(await isReady()).toBe(false);
  await owner.fill("To confirm, type", "key 3");
  expect(await isReady()).toBe(true);
  await owner.click("Delete");
  await owner.sees("key 3 is deleted.");
  await until("it is gone", async () => (await owner.page.$$eval("tbody tr", rows => rows.length)) === 9);
});

test("a leaked key can neither create nor delete keys", async () => {
  for (const [method, path] of [
    ["POST", "/internal/keys"],
    ["POST", "/owner/keys"],
    ["DELETE", "/owner/keys/any"],
  ] as const)
    expect([401, 403]).toContain(
      (await ask(method, path, { "x-api-key": key }, { owner: "acme", name: "mine" })).status,
    );
});

test("the usage of an owner's keys grows without a reload", async () => {
  await owner.click("Usage");
  await owner.sees("No requests in this period");
  for (let at = 0; at < 3; at++)
    expect((await ask("GET", "/users/me", { "x-api-key": key })).status).toBe(200);
  await owner.sees("Requests per day");
  const row = () => owner.page.$eval("tbody tr", tr => (tr as HTMLElement).innerText.replace(/\s+/g, " "));
  await until("all are counted", async () => (await row()).includes("production 3 3 100 %"));
  for (let at = 0; at < 2; at++) await ask("GET", "/users/me", { "x-api-key": key });
  await until("it grows", async () => (await row()).includes("production 5 5 100 %"));
  expect(await owner.findings()).toEqual([]);
});

test("the owner acts as its key, and the address keeps the choice", async () => {
  await owner.go("/keys");
  await owner.click("Act as production");
  await owner.sees("Key production of acme");
  expect(owner.address()).toMatch(/^\?key=01\w+$/);
  const address = owner.address();
  await owner.click("Sources");
  await owner.sees("Sources");
  expect(owner.address()).toContain("key=");
  await owner.go(address);
  await owner.sees("Key production of acme");
});

test("a person with an API key sees the same pages except the keys", async () => {
  const person = await dashboard.signIn({ api_key: key });
  await person.sees("Key production of acme");
  expect(await person.text()).not.toContain("Acting key");
  await person.go("/keys");
  await person.sees("There is no such page");
  await person.close();
});

test("a changed password ends the owner's other sessions", async () => {
  const other = await dashboard.signIn({ owner: "acme", password });
  await owner.go("/password");
  await owner.fill("Current password", password);
  await owner.fill("New password", `${password} 2`);
  await owner.fill("Repeat the password", `${password} 2`);
  await owner.click("Change password");
  await owner.sees("Your password is changed.");
  // The page asks by itself, and shows the sign-in form when it is refused.
  await other.sees("Your session has ended.");
  await owner.sees("Signed in as acme");
  await other.close();
});

test("wrong attempts are refused after some, and the form says for how long", async () => {
  const stranger = await dashboard.open("/");
  for (let at = 0; at < 6; at++) {
    await stranger.fill("Admin key or API key", `wrong ${at}`);
    await stranger.click("Sign in");
    await until("it is answered", async () => {
      const shown = await stranger.page.$eval(".form-error", e => e.textContent ?? "");
      return shown !== "";
    });
    if (await stranger.page.$("button[type=submit]:disabled")) break;
  }
  await stranger.sees("There were too many wrong attempts from here.");
  expect(await stranger.text()).toMatch(/Try again in \d+ s/);
  await stranger.close();
});

test("no page violates the policy or throws", () => {
  expect(dashboard.problems).toEqual([]);
});
