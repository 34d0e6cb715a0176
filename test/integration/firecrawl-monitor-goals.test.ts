import { askedIn, GoalsWorld } from "../suites/goals-world.ts";
import { until } from "../support/until.ts";

interface Check {
  id: string;
  status: string;
  pages: { status: string; judgment: object | null }[];
}

let world: GoalsWorld;

beforeAll(async () => {
  world = await GoalsWorld.start();
});
afterAll(() => world?.stop());

test("a monitor's goal judges what a check found, once, and the check's page says so", async () => {
  world.model.answerBy(request => {
    const isPrice = askedIn(request).added.join().includes("euros");
    const reason = isPrice ? "It is about the price." : "It is about something else.";
    return { answer: { meaningful: isPrice, confidence: 0.9, reason, summary: "The box is cheaper." } };
  });
  const key = await world.newKey();
  const asked = async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await world.magpie.request(method, `/v2/monitor${path}`, { key, ...(body && { body }) });
    expect([reply.status, reply.text]).toEqual([200, reply.text]);
    return reply.json<Body>();
  };
  const checked = async (id: string): Promise<Check> => {
    const begun = await asked<{ id: string }>("POST", `/${id}/run`, {});
    const read = async () => (await asked<{ data: Check }>("GET", `/${id}/checks/${begun.id}`)).data;
    await until("the check has ended", async () => (await read()).status !== "running");
    return await read();
  };
  const goal = "The price of the nest box falls";
  const [priced, other] = [world.newPage(), world.newPage()];
  const urls = [priced, other].map(path => world.site.url + path);
  const { data } = await asked<{ data: { id: string; goal: string; judgeEnabled: boolean } }>("POST", "", {
    ...{ name: "Boxes", schedule: { cron: "0 0 1 1 *" }, goal, targets: [{ type: "scrape", urls }] },
  });
  expect(data).toMatchObject({ goal, judgeEnabled: true });
  const first = await checked(data.id);
  expect(first.pages).toEqual(Array(2).fill(expect.objectContaining({ status: "new", judgment: null })));
  world.say(priced, "The box costs 19 euros.");
  world.say(other, "The shop is closed on Monday.");
  const { pages } = await checked(data.id);
  const judgments = new Map(pages.map(page => [(page as { url?: string }).url, page.judgment]));
  expect(judgments.get(urls[0])).toMatchObject({
    meaningful: true,
    confidence: "high",
    reason: "It is about the price.",
    meaningfulChanges: [
      {
        type: "changed",
        before: "As it was.",
        after: "The box costs 19 euros.",
        reason: "The box is cheaper.",
      },
    ],
  });
  expect(judgments.get(urls[1])).toMatchObject({ meaningful: false, meaningfulChanges: [] });
  expect(world.asked().map(question => question.goal)).toEqual([goal, goal]);
});
