import { type Site, startSite } from "../../support/http-site.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { blocksOf, page } from "../pages.ts";
import { type Service, startService } from "../service.ts";
import { missingLine } from "../shown.ts";
import { untilChecked, untilReads } from "./ask.ts";
import { Tutorial } from "./tutorial.ts";

interface Message {
  text?: string;
  blocks: { text?: { text: string }; elements?: { text: string }[] }[];
}

/** Lamps of a shop, by their paths. */
const lamps: Record<string, { name: string; price: string }> = {
  "/lamp": { name: "Desk lamp Aurora", price: "<s>$149.00</s> $129.00" },
  "/desk-lamp": { name: "Desk lamp", price: "$49.00" },
};
let service: Service;
let shop: Site;
/** What came to the channel of a tutorial. */
let messages: Message[] = [];
let slack: Site;
let tutorial: Tutorial;

beforeAll(async () => {
  [service, shop, slack] = await Promise.all([
    startService({ POLL_MIN_INTERVAL: "1s", ...withoutBrowser }),
    startSite((request, response) => {
      const { name, price } = lamps[request.url ?? ""] ?? { name: "Nothing", price: "" };
      response.writeHead(200, { "content-type": "text/html" });
      response.end(`<!doctype html><html lang="en"><title>${name}</title><main><h1>${name}</h1>
        <p>A lamp of brass and glass, made to order in four weeks.</p><p class="price">${price}</p></main></html>`);
    }),
    startSite(async (request, response) => {
      let body = "";
      for await (const chunk of request) body += chunk;
      messages.push(JSON.parse(body));
      response.writeHead(200, { "content-type": "text/plain" }).end("ok");
    }),
  ]);
  await untilReads(service, `${shop.url}/lamp`);
});
afterAll(async () => {
  await service?.stop();
  await Promise.all([shop?.close(), slack?.close()]);
});
beforeEach(() => {
  messages = [];
});
afterEach(() => tutorial?.stop());

const open = (name: string) =>
  Tutorial.open(name, {
    service,
    addresses: { "https://shop.example": shop.url, "https://hooks.slack.com": slack.url },
  });
const setPrice = (path: string, price: string) => Object.assign(lamps[path] ?? {}, { price });
const untilTold = (reason: string) => untilChecked(service, tutorial.apiKey, reason);

/** A message as the page of a tutorial shows it: a line for each part. */
const linesOf = ({ blocks }: Message) =>
  blocks
    .flatMap(({ text, elements = [] }) => [text?.text ?? "", elements.map(each => each.text).join(" · ")])
    .join("\n")
    .replace(/<[^|>]*\|([^>]*)>/g, "$1");

function expectShown(name: string, message: Message | undefined): void {
  const shown = blocksOf(page(`docs/tutorials/${name}.md`)).find(({ info }) => info === "slack");
  const lines = message ? linesOf(message) : "";
  expect({ missing: missingLine(lines, shown?.text ?? "no block", new Map()), lines }).toEqual({ lines });
}

test("a price that falls below the limit is a message in Slack, once", async () => {
  setPrice("/lamp", "<s>$149.00</s> $129.00");
  tutorial = await open("watch-a-price");
  await tutorial.next();
  await tutorial.next();
  await tutorial.next();
  await tutorial.next();
  await until("the test event is in Slack", () => messages.length === 1);
  setPrice("/lamp", "<s>$149.00</s> $119.00");
  await untilTold("The number is 119: not below 100.");
  setPrice("/lamp", "<s>$149.00</s> $99.00");
  await until("the price is in Slack", () => messages.length === 2);
  expectShown("watch-a-price", messages[1]);
  await tutorial.nextOnce();
  await tutorial.next();
  await tutorial.close();
  expect(messages.length).toBe(2);
});

test("a watch that did not fire says why, and the message comes after all", async () => {
  setPrice("/desk-lamp", "$49.00");
  tutorial = await open("why-did-it-not-fire");
  await tutorial.next();
  setPrice("/desk-lamp", "$45.00");
  await tutorial.nextOnce();
  await tutorial.next();
  await tutorial.next();
  await tutorial.next();
  setPrice("/desk-lamp", "$52.00");
  await untilTold("The number is 52");
  setPrice("/desk-lamp", "$44.00");
  await tutorial.nextOnce();
  await tutorial.next();
  expect(messages).toEqual([]);
  await tutorial.next();
  await until("the message is in Slack", () => messages.length === 1);
  expectShown("why-did-it-not-fire", messages[0]);
  await tutorial.close();
});
