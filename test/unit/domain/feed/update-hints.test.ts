import { parseFeed } from "../../../../services/domain/feed/parse-feed.ts";

const itunes = 'xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd"';
const sy = 'xmlns:sy="http://purl.org/rss/1.0/modules/syndication/"';
const rss = (extra: string) =>
  `<rss version="2.0" ${itunes} ${sy}><channel><title>X</title>${extra}</channel></rss>`;
const rdf = (extra: string) =>
  `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" ${sy}><channel><title>X</title>${extra}</channel></rdf:RDF>`;
const atom = (extra: string) =>
  `<feed xmlns="http://www.w3.org/2005/Atom" ${itunes} ${sy}><title>X</title>${extra}</feed>`;
const period = (text: string) => `<sy:updatePeriod> ${text} </sy:updatePeriod>`;
const frequency = (times: string) => `<sy:updateFrequency>${times}</sy:updateFrequency>`;

const read = (text: string) => {
  const parsed = parseFeed(text, "https://x.example/dir/feed");
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.feed;
};

test.each<[string, string, number | undefined]>([
  ["nothing", rss(""), undefined],
  ["hourly", rss(period("hourly")), 60],
  ["Daily, twice", rss(period("Daily") + frequency("2")), 720],
  ["twice, of nothing", rss(frequency("2")), 720],
  ["weekly, never", rss(period("weekly") + frequency("0")), 10_080],
  ["nonsense", rss(period("constructor") + frequency("2")), undefined],
  ["hourly beside a longer ttl", rss(`<ttl>90</ttl>${period("hourly")}`), 90],
  ["daily beside a shorter ttl", rss(`<ttl>90</ttl>${period("daily")}`), 1440],
  ["RSS 1.0", rdf(period("hourly") + frequency("4")), 15],
  ["Atom", atom(period("hourly")), 60],
])("the interval of a feed that says %s", (_, text, minutes) => expect(read(text).ttlMinutes).toBe(minutes));

const moved = (url: string) => `<itunes:new-feed-url>${url}</itunes:new-feed-url>`;

test.each<[string, string, string | undefined]>([
  ["an address", rss(moved("https://y.example/feed#top")), "https://y.example/feed"],
  ["a relative one", rss(moved("../feed")), "https://x.example/feed"],
  ["Atom's", atom(moved("https://y.example/")), "https://y.example/"],
  [
    "UserLand's",
    '<rss version="2.0"><redirect><newLocation>https://y.example/feed</newLocation></redirect></rss>',
    "https://y.example/feed",
  ],
  ["no place on the web", rss(moved("javascript:alert(1)")), undefined],
  ["none", rss(""), undefined],
])("where a feed has moved to: %s", (_, text, url) => expect(read(text).newUrl).toBe(url));
