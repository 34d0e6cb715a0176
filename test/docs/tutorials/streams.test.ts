import { type Site, startSite } from "../../support/http-site.ts";
import { withoutBrowser } from "../../support/start-args.ts";
import { until } from "../../support/until.ts";
import { type Service, startService } from "../service.ts";
import { Tutorial } from "./tutorial.ts";

const titles = ["An old song"];
const feed =
  () => `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>News of the nest</title>
  <id>tag:nest</id><updated>2026-01-01T00:00:00Z</updated>${titles
    .map(
      (title, n) =>
        `<entry><id>tag:${n}</id><title>${title}</title><link href="https://news.example/${n}"/></entry>`,
    )
    .join("")}</feed>`;

let service: Service;
let news: Site;
let tutorial: Tutorial;

// The networks are simulated: suites of their own connect to Bluesky and Telegram.
beforeAll(async () => {
  [service, news] = await Promise.all([
    startService({ POLL_MIN_INTERVAL: "1s", SANDBOX_POST_EVERY: "off", ...withoutBrowser }),
    startSite((_request, response) => {
      response.writeHead(200, { "content-type": "application/atom+xml" }).end(feed());
    }),
  ]);
});
afterAll(async () => {
  await service?.stop();
  await news?.close();
});
afterEach(() => tutorial?.stop());

async function post(body: object): Promise<void> {
  const response = await fetch(`${service.url}/internal/sandbox/post`, {
    method: "POST",
    headers: { "x-admin-key": service.adminKey, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
}

test("three networks are one stream, which goes on where it was left", async () => {
  tutorial = await Tutorial.open("one-stream", {
    service,
    addresses: {
      "ada.bsky.test": "quiet_wren",
      "Ada the Magpie": "Quiet Wren",
      nest_radio: "@still_pond",
      "Nest Radio": "Still Pond",
      "https://news.example": news.url,
    },
  });
  await tutorial.next();
  const first = await tutorial.begin();
  const prints = (text: string) =>
    until(`it prints ${text}`, () => first.output().includes(text)).catch(() => {
      throw new Error(`no ${text} in ${first.output()}`);
    });
  await post({ platform: "microblog", username: "quiet_wren", text: "The nest is built." });
  await prints("The nest is built.");
  await post({ platform: "messenger", channelId: "3004", text: "Live from the nest." });
  await prints("Live from the nest.");
  titles.push("An egg is laid");
  await first.shows();
  await first.kill("INT");
  await post({ platform: "microblog", username: "quiet_wren", text: "The egg is here." });
  const second = await tutorial.begin();
  await second.shows();
  await second.kill("INT");
  await tutorial.next();
  await tutorial.next();
  await tutorial.close();
});
