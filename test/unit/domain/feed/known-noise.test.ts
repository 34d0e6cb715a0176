import { compareFeed } from "../../../../services/domain/feed/compare-feed.ts";
import { readFeed } from "../../../../services/domain/feed/parse-feed.ts";

/** What polls of a feed report, after the first one. */
function newsOf(documents: string[]): string[] {
  const read = (text: string) => {
    const parsed = readFeed(
      new TextEncoder().encode(text),
      "application/rss+xml",
      "https://feeds.example/rss",
    );
    if (!parsed.ok) throw new Error(parsed.reason);
    return parsed.feed.items;
  };
  const [first = "", ...rest] = documents;
  let { memory } = compareFeed(undefined, read(first));
  return rest.flatMap(text => {
    const compared = compareFeed(memory, read(text));
    memory = compared.memory;
    return compared.news.map(({ kind, item }) => `${kind} ${item.title}`);
  });
}

const rss = (items: string) =>
  `<rss version="2.0"><channel><title>F</title><link>https://feeds.example/</link>${items}</channel></rss>`;

function topic(text: string, counts: string): string {
  return rss(`<item><title>Roof</title><link>https://forum.example/t/roof/41</link>
    <guid isPermaLink="false">forum.example-topic-41</guid>
    <description><![CDATA[<p>${text}</p><p><small>${counts}</small></p>
    <p><a href="https://forum.example/t/roof/41">Read full topic</a></p>]]></description></item>`);
}

test.each([
  ["1 post - 1 participant", "2 posts - 2 participants", "1,203 posts - 64 participants"],
  ["1 Beitrag - 1 Teilnehmer", "5 Beiträge - 3 Teilnehmer", "6 Beiträge - 3 Teilnehmer"],
])("replies to a topic of Discourse are no update of it: %s", (...counts) => {
  expect(newsOf(counts.map(count => topic("The roof leaks.", count)))).toEqual([]);
});

test("an edit of a topic is one", () => {
  const documents = [topic("The roof leaks.", "1 post - 1 participant")];
  documents.push(topic("The roof leaks, and the wall.", "2 posts - 2 participants"));
  expect(newsOf(documents)).toEqual(["updated Roof"]);
});

test("a line of counts within a topic, or of another program, is text", () => {
  const score = (counts: string) => topic(`${counts}</p><p>a</p><p>b</p><p>c`, "1 post - 1 participant");
  expect(newsOf([score("5 goals - 3 goals"), score("6 goals - 3 goals")])).toEqual(["updated Roof"]);
  const other = (counts: string) => topic("The roof.", counts).replaceAll("topic-41", "41");
  expect(newsOf([other("5 posts - 3 participants"), other("6 posts - 3 participants")])).toHaveLength(1);
});

function story(title: string, others: string[]): string {
  const links = [title, ...others].map(
    each => `<li><a href="https://news.google.com/rss/articles/CB1">${each}</a></li>`,
  );
  return rss(`<item><title>${title} - The Post</title><link>https://news.google.com/rss/articles/CBMi1?oc=5</link>
    <guid isPermaLink="false">CBMi1</guid><description><![CDATA[<ol>${links.join("")}</ol>]]></description></item>`);
}

test("coverage of others that joins a story of Google News is no update of it; a new headline is", () => {
  const documents = [story("Storm", []), story("Storm", ["Gale"]), story("Storm", ["Gale", "Rain"])];
  expect(newsOf(documents)).toEqual([]);
  expect(newsOf([...documents, story("Storm abates", ["Gale"])])).toEqual([
    "updated Storm abates - The Post",
  ]);
});
