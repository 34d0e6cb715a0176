import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeFolder } from "../../support/folders.ts";
import { filesBelow } from "../../support/ndjson.ts";
import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let folder: string;
let dashboard: Dashboard;
let tab: Tab;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "magpie-destination-form-"));
  dashboard = await openDashboard({ DESTINATION_FOLDER: folder });
  tab = await dashboard.signIn({ api_key: dashboard.apiKey });
});
afterAll(async () => {
  await dashboard?.close();
  await removeFolder(folder);
});

const choose = (type: string) => tab.page.select('select[name="destination.type"]', type);

const endpoints = async () => {
  const reply = await fetch(`${dashboard.url}/webhooks`, { headers: { "x-api-key": dashboard.apiKey } });
  return ((await reply.json()) as { data: object[] }).data;
};

test("a folder is registered, tested and changed, and has no field of URLs", async () => {
  await tab.go("/webhook");
  await tab.click("Register an endpoint");
  await choose("folder");
  await tab.sees("Such as shop/orders");
  await tab.click("Batches, rate, time");
  const form = await tab.text();
  for (const name of ["Address", "Format", "Headers", "Signatures"]) expect(form).not.toContain(name);
  await tab.fill("Folder", "../shop");
  await tab.click("Register");
  await tab.sees("must be names of letters");
  expect(await tab.page.$eval('[name="destination.path"]', field => field.ariaInvalid)).toBe("true");
  expect(await tab.findings()).toEqual([]);
  expect(await tab.page.$eval("[name=max_wait_ms]", field => (field as HTMLInputElement).value)).toBe(
    "60000",
  );
  await tab.fill("Longest wait", "0");
  await tab.fill("Folder", "shop");
  await tab.click("Register");
  await tab.sees("file:///shop");
  await tab.sees("Sends to Folder");
  await tab.sees("up to 1,000 events within 0 ms");
  const page = await tab.text();
  expect(page).not.toContain("whsec_");
  expect(page).not.toContain("New secret");

  await tab.click("Send a test");
  await until("the test is a file", () => filesBelow(folder).length === 1);
  await tab.click("Change…");
  await tab.fill("Folder", "shop/eu");
  await tab.fill("Name", "orders");
  await tab.click("Change");
  await tab.sees("file:///shop/eu");
  expect(await endpoints()).toMatchObject([
    { name: "orders", destination: { type: "folder", path: "shop/eu" } },
  ]);
});

test("a password that is stored stays when it is not typed again", async () => {
  await tab.click("Add an endpoint");
  await choose("postgresql");
  for (const [label, value] of [
    ["Server", "db.example.com"],
    ["Database", "shop"],
    ["User", "magpie"],
    ["Password", "not to be seen"],
  ] as const)
    await tab.fill(label, value);
  expect(await tab.findings()).toEqual([]);
  await tab.click("Register");
  await tab.sees("postgresql://db.example.com:5432/shop/magpie_events");
  await tab.sees("PostgreSQL table");
  await tab.sees("orders");

  await tab.click("postgresql://db.example.com:5432/shop/magpie_events");
  await tab.click("Change…");
  expect(await tab.page.$eval("input[type=password]", field => (field as HTMLInputElement).value)).toBe(
    "•••",
  );
  await tab.fill("Table", "events");
  await tab.click("Change");
  await tab.sees("postgresql://db.example.com:5432/shop/events");
  await tab.click("Change…");
  await tab.fill("Server", "elsewhere.example.com");
  await tab.click("Change");
  await tab.sees("is not kept for this server: give its value.");
  await tab.click("Cancel");
  expect(dashboard.problems).toEqual([]);
});
