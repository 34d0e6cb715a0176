import { nodesOf } from "../../cluster/options.ts";

const rooms = ["api", "scraper", "webhook-dispatcher"];

test.each([
  ["nothing", [], {}],
  ["one room", ["--nodes", "scraper=2"], { scraper: 2 }],
  ["several", ["--nodes=scraper=2,webhook-dispatcher=0"], { scraper: 2, "webhook-dispatcher": 0 }],
])("%s is taken", (_, args, nodes) => {
  expect(nodesOf(args, rooms)).toEqual(nodes);
});

test.each([
  ["scraper", "--nodes: scraper is not of the form scraper=2"],
  ["scraper=two", "--nodes: scraper=two is not of the form scraper=2"],
  ["scraper=100", "--nodes: scraper=100 is not of the form scraper=2"],
  ["scrapers=2", "--nodes: there is no room scrapers; there are api, scraper, webhook-dispatcher"],
])("%s is refused with a sentence", (nodes, sentence) => {
  expect(() => nodesOf(["--nodes", nodes], rooms)).toThrow(sentence);
});
