import { parseFeed } from "../../../../services/domain/feed/parse-feed.ts";

const dc =
  'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:content="http://purl.org/rss/1.0/modules/content/"';
const rss = (item: string, head = "<language>fr</language>") =>
  `<rss version="2.0" ${dc}><channel>${head}<item><guid>1</guid>${item}</item></channel></rss>`;
const atom = (entry: string, language = "fr") =>
  `<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="${language}"><entry><id>1</id>${entry}</entry></feed>`;

const languageOf = (text: string) => {
  const parsed = parseFeed(text, "https://x.example/feed");
  return parsed.ok ? parsed.feed.items[0]?.language : parsed.reason;
};

test.each<[string, string, string | undefined]>([
  ["the feed", rss(""), "fr"],
  ["the item", rss("<dc:language>de</dc:language><title xml:lang='en'>T</title>"), "de"],
  [
    "its content",
    rss("<title xml:lang='de'>T</title><content:encoded xml:lang='en'>C</content:encoded>"),
    "en",
  ],
  [
    "its content, not its summary",
    atom("<summary xml:lang='de'>S</summary><content xml:lang='en'>C</content>"),
    "en",
  ],
  ["its only text", atom("<summary xml:lang='de'>S</summary>"), "de"],
  ["its title, without a text", atom("<title xml:lang='de'>T</title>"), "de"],
  ["what is around its content", atom("<title xml:lang='de'>T</title><content>C</content>"), "fr"],
  ["a locale of POSIX", atom("<content xml:lang='en_US'>C</content>"), "en-US"],
  ["a locale of POSIX for the feed", rss("", "<language>pt_BR</language>"), "pt-BR"],
  ["nothing, on purpose", atom("<content xml:lang=''>C</content>"), undefined],
  ["nothing at all", atom("<content>C</content>", ""), undefined],
])("the language of an item is said by %s", (_, text, language) => expect(languageOf(text)).toBe(language));
