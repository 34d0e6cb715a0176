import { type Dashboard, openDashboard, type Tab } from "./dashboard.ts";

let dashboard: Dashboard;
let tab: Tab;

beforeAll(async () => {
  dashboard = await openDashboard({ EGRESS_ALLOW: "127.0.0.1/32", WEBHOOK_ALLOW_HTTP: "true" });
  tab = await dashboard.signIn({ api_key: dashboard.apiKey });
});
afterAll(() => dashboard?.close());

test("a filter and a transform are written, refused with the place, tried on an event, and kept", async () => {
  await tab.go("/webhook");
  await tab.click("Register an endpoint");
  await tab.fill("Address", "http://127.0.0.1:49151/hook");
  await tab.click("Filter and transform");
  await tab.fill("Filter", "seq > ");
  await tab.click("Register");
  await tab.sees("cannot be read as JSONata");
  await tab.fill("Filter", "seq > 100");
  await tab.click("Register");
  await tab.sees("whsec_");
  await tab.go("/webhook");
  await tab.click("Send a test");
  await tab.sees("The test event is on its way.");
  await tab.click("Change…");
  await tab.fill("Transform", '{"say": $news[0].title}');
  expect(await tab.findings()).toEqual([]);
  await tab.click("Try on a real event");
  await tab.sees("it would not be delivered");
  await tab.sees('{"say":"Test event"}');
  await tab.click("Change");
  await tab.sees("Webhook changed");
  const reply = await fetch(`${dashboard.url}/webhooks`, { headers: { "x-api-key": dashboard.apiKey } });
  expect(await reply.json()).toMatchObject({
    data: [{ filter: "seq > 100", transform: '{"say": $news[0].title}', rate: null }],
  });
  expect(dashboard.problems).toEqual([]);
});
