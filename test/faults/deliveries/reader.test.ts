import type { Event } from "../../../services/contracts/events.ts";
import { startSite } from "../../support/http-site.ts";
import { until } from "../../support/until.ts";
import { Puller } from "./puller.ts";

const event = (seq: number, id = `item-0-${seq}`) =>
  ({ id: `evt_${seq}`, type: "rss.item.created", seq, data: { item: { id } } }) as unknown as Event;

/** What a client thinks of a service that answers with these pages, one after the other, then with nothing new. */
async function judged(pages: (Event[] | number)[], due: number): Promise<string[]> {
  const asked: string[] = [];
  const site = await startSite((request, response) => {
    asked.push(request.url ?? "");
    const page = pages.shift() ?? [];
    if (typeof page === "number") return response.writeHead(page).end();
    return response.writeHead(200).end(JSON.stringify({ data: page }));
  });
  const puller = new Puller("key", () => site.url);
  const count = pages.length;
  await until("it has asked for all", () => asked.length > count);
  puller.close();
  await site.close();
  return puller.judge("it", due);
}

test("each event once and in order is right, whatever was refused in between", async () => {
  expect(await judged([[event(1), event(2)], 503, 500, [event(3)]], 3)).toEqual([]);
});

test.each<[string, (Event[] | number)[], RegExp]>([
  ["one is left out", [[event(1), event(3)]], /event 3 came after event 1/],
  ["one comes twice", [[event(1), event(2)], [event(2)], [event(3)]], /event 2 came after event 2/],
  ["one never comes", [[event(1), event(2)]], /3 items were due, 2 came/],
  ["one item is two events", [[event(1), event(2), event(3, "item-0-1")]], /3 came, 2 of them distinct/],
])("it is told where %s", async (_, pages, complaint) => {
  expect((await judged(pages, 3)).join("\n")).toMatch(complaint);
});
