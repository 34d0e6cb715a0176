import { wantedCluster, watchedService } from "../../dev/options.ts";

const services = ["api", "scraper", "webhook-dispatcher"];

test.each([
  ["nothing", [], {}],
  ["one service", ["--nodes", "scraper=2"], { scraper: 2 }],
  ["several", ["--nodes=scraper=2,webhook-dispatcher=0"], { scraper: 2, "webhook-dispatcher": 0 }],
])("%s is taken", (_, args, nodes) => {
  expect(wantedCluster(args, services)).toEqual({ nodes, replicaSet: false });
  expect(wantedCluster([...args, "--replica-set"], services)).toEqual({ nodes, replicaSet: true });
});

test.each([
  ["scraper", "--nodes: scraper is not of the form scraper=2"],
  ["scraper=two", "--nodes: scraper=two is not of the form scraper=2"],
  ["scraper=100", "--nodes: scraper=100 is not of the form scraper=2"],
  ["scrapers=2", "--nodes: there is no service scrapers; there are api, scraper, webhook-dispatcher"],
])("%s is refused with a sentence", (nodes, sentence) => {
  expect(() => wantedCluster(["--nodes", nodes], services)).toThrow(sentence);
});

test.each([
  [[], undefined],
  [["--service", "scraper"], "scraper"],
])("the service to watch: %j", (args, service) => {
  expect(watchedService(args, services)).toBe(service);
});

test("a service to watch that is none is refused", () => {
  expect(() => watchedService(["--service", "scrapers"], services)).toThrow(
    "--service: there is no service scrapers; there are api, scraper, webhook-dispatcher",
  );
});
