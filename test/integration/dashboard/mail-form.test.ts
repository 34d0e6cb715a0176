import { newAddress } from "../../support/mail-client.ts";
import { linkIn, type MailServer, startMailServer } from "../../support/mail-server.ts";
import { until } from "../../support/until.ts";
import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let server: MailServer;
let dashboard: Dashboard;
let tab: Tab;
const address = newAddress();

beforeAll(async () => {
  server = await startMailServer();
  dashboard = await openDashboard({
    SMTP_URL: server.url,
    SMTP_FROM: "magpie@example.com",
    PUBLIC_URL: "http://magpie.example.com",
  });
  tab = await dashboard.signIn({ api_key: dashboard.apiKey });
});
afterAll(async () => {
  await dashboard?.close();
  await server?.close();
});

const questions = () => server.mails.filter(mail => linkIn(mail, "confirm") !== "");

test("a mail address is registered without mailto:, with a digest and without a secret", async () => {
  await tab.go("/webhook");
  await tab.click("Register an endpoint");
  await tab.fill("Address", address);
  await tab.sees("The owner of the address has to confirm a first mail before anything else is sent.");
  expect(await tab.text()).not.toContain("Headers");
  await tab.fill("Name", "the harbour's readers");
  await tab.page.select("select[name=digest]", "1d");
  expect(await tab.findings()).toEqual([]);
  await tab.click("Register");
  await tab.sees("Not confirmed yet");
  await tab.sees(`mailto:${address}`);
  await tab.sees("Mails every day");
  const text = await tab.text();
  expect(text).toContain(
    "Magpie has sent a mail to the owner of this address. Nothing else is sent until the owner agrees.",
  );
  expect(text).not.toContain("whsec_");
  expect(text).not.toContain("New secret");
  expect(await tab.findings()).toEqual([]);
  await until("the owner is asked", () => questions().length === 1);
});

test("the owner is asked again", async () => {
  await tab.click("Ask again");
  await tab.sees("the owner of its address has to confirm it");
  await until("a second mail came", () => questions().length === 2);
  expect(questions().map(({ to }) => to)).toEqual([address, address]);
});

test("the owner confirms on one page and unsubscribes on another", async () => {
  const owner = await dashboard.open();
  const follow = async (path: string) => {
    await owner.page.goto(dashboard.url + path);
    await owner.page.waitForSelector("h1");
    await owner.sees(address);
    expect(await owner.findings()).toEqual([]);
  };
  const press = (name: string) => Promise.all([owner.page.waitForNavigation(), owner.click(name)]);
  await follow(linkIn(questions()[1], "confirm"));
  await press("Yes, send news here");
  await owner.sees("This address is confirmed.");
  await tab.go("/webhook");
  await tab.sees("Active");
  expect(await tab.text()).not.toContain("Ask again");

  await tab.click("Send a test");
  await tab.sees("The test event was sent by itself; the digest keeps its time.");
  const news = server.mails.at(-1);
  expect(news?.headers.get("subject")).toEqual(["Test event"]);
  await follow(linkIn(news, "unsubscribe"));
  await press("Yes, send nothing more");
  await owner.sees("Nothing more is sent to this address.");
  await tab.go("/webhook");
  await tab.sees("Paused");
  expect(dashboard.problems).toEqual([]);
});
