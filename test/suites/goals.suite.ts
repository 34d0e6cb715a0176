import { askedIn, type GoalsWorld } from "./goals-world.ts";

const select = [".news"];
const goal = "The price of the nest box falls";

/** What a goal in words does, from a change to its event. */
export function goalsSuite(worldOf: () => GoalsWorld): void {
  let world: GoalsWorld;
  beforeAll(() => {
    world = worldOf();
  });

  const verdict = (meaningful: boolean, summary = "It changed.") => ({
    ...{ meaningful, confidence: 0.9, summary },
    reason: meaningful ? "It is about the price." : "It is about something else.",
  });

  /** A model that finds prices meaningful. */
  function answerWell(): void {
    world.model.answerBy(request => {
      const { added } = askedIn(request);
      return { answer: verdict(added.join().includes("euros"), `Now: ${added.join()}`) };
    });
  }

  /** Tracks a page by a goal, lets it change, and answers what its event says of the judgement. */
  async function judgementOf(text: string, key?: string): Promise<Record<string, unknown> | undefined> {
    const owner = key ?? (await world.newKey());
    const page = world.newPage();
    const id = await world.tracked(owner, page, { goal, select });
    world.say(page, text);
    await world.poll(id);
    const [event] = await world.events(owner, 1);
    return event?.data.judgement;
  }

  test("a change is judged by the goal, and its event says so", async () => {
    answerWell();
    expect(await judgementOf("The box costs 20 euros.")).toEqual({
      judged: true,
      meaningful: true,
      confidence: 0.9,
      reason: "It is about the price.",
      summary: "Now: The box costs 20 euros.",
      goal,
    });
    expect(await judgementOf("The shop is closed on Monday.")).toMatchObject({
      judged: true,
      meaningful: false,
    });
    expect(world.asked().map(({ goal, kind, removed }) => ({ goal, kind, removed }))).toEqual(
      Array(2).fill({ goal, kind: "web.page.changed", removed: ["As it was."] }),
    );
  });

  test("it is judged once for all keys that share the view; other goals are asked by themselves, of one visit", async () => {
    answerWell();
    const [a, b, c, d] = await Promise.all([1, 2, 3, 4].map(() => world.newKey()));
    if (!a || !b || !c || !d) throw new Error("no keys");
    const page = world.newPage();
    const one = await world.tracked(a, page, { goal, select });
    expect((await world.track(b, page, { goal, select })).json()).toMatchObject({ data: { id: one } });
    const other = await world.tracked(c, page, { goal: "The shop is closed", select });
    const silent = await world.tracked(d, page, { goal, judge: false, select });
    expect(new Set([one, other, silent]).size).toBe(3);
    const hits = () => world.site.hits.filter(({ url }) => url === page).length;
    const before = hits();
    world.say(page, "The box costs 19 euros.");
    await world.poll(one, other, silent);
    expect(hits()).toBe(before + 1);
    expect(
      world
        .asked()
        .map(asked => asked.goal)
        .sort(),
    ).toEqual([goal, "The shop is closed"]);
    const [ofA, ofB, ofC, ofD] = await Promise.all([a, b, c, d].map(key => world.events(key, 1)));
    expect(ofA?.[0]?.data.judgement).toMatchObject({ judged: true, goal });
    expect(ofB?.[0]?.data).toEqual(ofA?.[0]?.data);
    expect(ofC?.[0]?.data.judgement).toMatchObject({ judged: true, goal: "The shop is closed" });
    expect(ofD?.[0]?.data).not.toHaveProperty("judgement");
  });

  test("items of a feed are judged each by itself", async () => {
    answerWell();
    const key = await world.newKey();
    const feed = world.newPage("feed.xml");
    const id = await world.tracked(key, feed, { goal }, "rss");
    world.say(feed, "As it was.|First|Second");
    await world.poll(id);
    const events = await world.events(key, 2);
    expect(events.map(({ data }) => [data.item?.title, data.judgement?.judged])).toEqual(
      expect.arrayContaining([
        ["First", true],
        ["Second", true],
      ]),
    );
    expect(
      world
        .asked()
        .map(({ title }) => title)
        .sort(),
    ).toEqual(["First", "Second"]);
  });

  test("a muted change and an unchanged page ask nothing", async () => {
    answerWell();
    const key = await world.newKey();
    const page = world.newPage();
    const id = await world.tracked(key, page, { goal, select, ignore: ["closed"] });
    await world.poll(id);
    world.say(page, 'As it was.</p><p class="news">The shop is closed.');
    await world.poll(id);
    expect(world.asked()).toEqual([]);
  });

  test("a poll that is repeated after a crash may be judged anew, and the log keeps the first verdict", async () => {
    const key = await world.newKey();
    const page = world.newPage();
    const id = await world.tracked(key, page, { goal, select });
    const crash = await world.remember(id);
    world.model.answerBy(() => ({ answer: verdict(true, "First.") }));
    world.say(page, "The box costs 19 euros.");
    await world.poll(id);
    const before = await world.events(key, 1);
    await crash();
    world.model.answerBy(() => ({ answer: verdict(false, "Second.") }));
    await world.poll(id);
    expect(world.asked()).toHaveLength(1);
    world.say(page, "The box costs 18 euros.");
    await world.poll(id);
    const events = await world.events(key, 2);
    expect(events.map(({ data }) => data.judgement?.summary)).toEqual(["First.", "Second."]);
    expect(events[0]).toEqual(before[0]);
  });

  test("previews and rehearsals judge nothing by the goal, and say so", async () => {
    answerWell();
    const key = await world.newKey();
    const page = world.newPage();
    const id = await world.tracked(key, page, { goal, select });
    world.say(page, "The box costs 19 euros.");
    await world.poll(id);
    await world.events(key, 1);
    answerWell();
    const options = { goal: "Another goal", select };
    const body = { sid: world.site.url + page, options };
    const preview = await world.magpie.request("POST", "/track/web/preview", { key, body });
    expect([preview.status, preview.json()]).toEqual([
      200,
      expect.objectContaining({ message: expect.stringContaining("judges nothing by the goal") }),
    ]);
    const rehearsal = await world.magpie.request("POST", `/sources/${id}/rehearse`, {
      key,
      body: { options },
    });
    expect([rehearsal.status, rehearsal.json()]).toEqual([
      200,
      expect.objectContaining({
        data: expect.objectContaining({
          fired: 1,
          why: expect.stringContaining("Nothing is judged by the goal"),
        }),
      }),
    ]);
    expect(world.asked()).toEqual([]);
  });

  test.each<[string, string | object]>([
    ["no JSON", "Yes, tell them!"],
    ["another language", "Ja, das ist bedeutsam."],
    ["other fields", { bedeutsam: true, sicherheit: 1 }],
    ["a field too many", { ...verdict(true), all_pages: true }],
    ["another range", { ...verdict(true), confidence: 90 }],
  ])("a model that answers wrongly, with %s: the event arrives without a verdict", async (_, answer) => {
    world.model.answerBy(() => ({ answer }));
    expect(await judgementOf("The box costs 18 euros.")).toEqual({
      judged: false,
      reason: expect.stringContaining("form"),
      goal,
    });
  });

  test("a model that does not answer holds an event back for seconds, and one that is down is left alone for a while", async () => {
    const key = await world.newKey();
    const pages = [1, 2].map(() => world.newPage());
    const ids = await Promise.all(pages.map(page => world.tracked(key, page, { goal, select })));
    world.model.answerBy(() => ({ hang: true }));
    for (const page of pages) world.say(page, "The box costs 17 euros.");
    await world.poll(...ids);
    const late = await world.events(key, 2);
    expect(late.map(({ data }) => data.judgement)).toEqual(
      Array(2).fill({ judged: false, reason: expect.stringContaining("in time"), goal }),
    );
    world.model.answerBy(() => ({ status: 500, headers: { "retry-after-ms": "1" } }));
    for (const number of [16, 15, 14, 13]) {
      for (const page of pages) world.say(page, `The box costs ${number} euros.`);
      await world.poll(...ids);
    }
    const events = await world.events(key, 10);
    expect(events).toHaveLength(10);
    expect(events.every(({ data }) => data.judgement?.judged === false)).toBe(true);
    // A retry for each question that was asked.
    expect(world.asked().length).toBeLessThan(2 * 8);
    expect(events.at(-1)?.data.judgement?.reason).toContain("asked again in a minute");
  });
}
