import { setTimeout as sleep } from "node:timers/promises";
import { type Site, startSite } from "../../test/support/http-site.ts";

const boats = [
  "Heron",
  "Plover",
  "Curlew",
  "Gannet",
  "Tern",
  "Avocet",
  "Dunlin",
  "Knot",
  "Sanderling",
  "Turnstone",
];

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><nav><a href="/boats/">Boats</a></nav><main><article>
  <h1>${title}</h1>${text}</article></main></html>`;

const harbour = `<p>Seven boats lie in the harbour tonight, and the eighth is expected with the tide. The light on the
mole burns from dusk to dawn; who comes in later than ten ties up at the <a href="/boats/">outer quay</a>.</p>
<h2>Berths</h2><table><thead><tr><th>Quay</th><th>Depth</th><th>Boats</th></tr></thead><tbody>
<tr><td>Inner</td><td>2.4 m</td><td>4</td></tr><tr><td>Outer</td><td>3.8 m</td><td>3</td></tr></tbody></table>
<h2>Tides</h2><ul><li>High water at 04:12 and 16:40</li><li>Low water at 10:25 and 22:51</li></ul>
<blockquote><p>Fair wind, and a full tide under the keel.</p></blockquote>`;

let sold = 0;

/** Fares that change with every other look, and a notice that comes and goes. */
function tickets(): string {
  sold += 1;
  const at = Math.floor(sold / 2);
  const fare = [18.5, 18.5, 16, 17.25, 14.9, 15.5, 13][at % 7] ?? 0;
  const notice = at % 3 === 1 ? "<p>No ferry on Sunday: the pier is painted.</p>" : "";
  return `<style>body{font:18px/1.5 sans-serif;margin:0 auto;max-width:52rem;padding:2rem}h1{margin:0}
    .fare{font-size:2rem;font-weight:700}table{border-collapse:collapse;width:100%}td,th{border-bottom:1px solid #ccc;padding:.5rem;text-align:left}
    button{font:inherit;padding:.5rem 1.5rem;background:#0b6478;color:#fff;border:0;border-radius:6px}</style>
    <p>From the outer quay to the islands, every day that the wind allows it.</p>
    <p class="fare">${fare.toFixed(2)} €</p><button>${at % 4 === 3 ? "Sold out" : "Buy a ticket"}</button>
    <h2>Departures</h2><table class="departures"><tr><th>From the quay</th><th>Back</th></tr><tr><td>7:30</td><td>9:10</td></tr>
    <tr><td>12:00</td><td>${at % 2 ? "13:40" : "13:50"}</td></tr><tr><td>17:45</td><td>19:25</td></tr></table>${notice}
    <h2>On board</h2><p>Dogs travel free, and bicycles pay half of the fare. The café opens when the ropes are in.</p>`;
}

const chapters: Record<string, string[]> = {
  start: ["install", "first-boat", "sign-in"],
  berths: ["request", "cancel", "limits", "prices"],
  tides: ["tables", "warnings"],
  pilots: ["order", "night"],
};

const documented = Object.entries(chapters).flatMap(([chapter, names]) =>
  names.map(name => `${chapter}/${name}`),
);

/** When the documentation was asked for first: what changes in it changes after its baseline. */
let documentedAt = 0;

/** A documentation of the harbour, in which a limit falls, a page comes and a page goes. */
function documentation(path: string): string | undefined {
  documentedAt ||= Date.now();
  const isLater = Date.now() - documentedAt > 20_000;
  const all = [
    ...documented.filter(each => !isLater || each !== "pilots/night"),
    ...(isLater ? ["berths/winter"] : []),
  ];
  if (path !== "" && !all.includes(path)) return undefined;
  const links = all.map(each => `<li><a href="/docs/${each}">${titleOf(each)}</a></li>`).join("");
  if (path === "")
    return page("Harbour API", `<p>Berths, tides and pilots for programs.</p><ul>${links}</ul>`);
  const limit = isLater ? "20 times a minute" : "60 times a minute";
  const more = path === "berths/limits" ? `<p>A berth may be asked for ${limit}, by each key.</p>` : "";
  return page(
    titleOf(path),
    `<p>What ${titleOf(path).toLowerCase()} means, and how a program asks for it: by one request that
    has the name of the boat, its length and its draught.</p>${more}<p>See also the chapter ${path.split("/")[0]}.</p>`,
  );
}

function titleOf(path: string): string {
  const name = (path.split("/").at(-1) ?? "").replaceAll("-", " ");
  return name.charAt(0).toUpperCase() + name.slice(1);
}

let written = 0;

/** An Atom feed that has something new each time it is asked for. */
function feed(title: string): string {
  written += 1;
  const entries = Array.from({ length: Math.min(written, 5) }, (_, at) => {
    const name = boats[(written - at) % boats.length];
    return `<entry><id>tag:harbour.example,2026:${written - at}</id><title>${name} has come in</title>
      <updated>2026-11-23T0${at}:00:00Z</updated><link href="/boats/${name}"/><content type="html">${name} ties up at the outer quay.</content></entry>`;
  });
  return `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>${title}</title><id>tag:harbour.example</id>
    <updated>2026-11-23T00:00:00Z</updated>${entries.join("")}</feed>`;
}

/** What is read, tracked and delivered to in the pictures: pages, feeds, some of which fail, and receivers. */
export function startHarbour(): Promise<Site> {
  const atom = (title: string) => ({
    headers: { "content-type": "application/atom+xml" },
    body: feed(title),
  });
  return startSite(async ({ url = "/" }, response) => {
    const [, folder, name, part] = url.split("?")[0]?.split("/") ?? [];
    const answer = (status: number, body = "", type = "text/html; charset=utf-8") => {
      response.writeHead(status, { "content-type": type });
      response.end(body);
    };
    if (folder === "robots.txt") return answer(404);
    if (folder === "docs") {
      const found = documentation([name, part].filter(Boolean).join("/"));
      return found === undefined ? answer(404) : answer(200, found);
    }
    if (folder === "feeds" && name === "gone.atom") return answer(410);
    if (folder === "feeds" && name === "broken.atom") return answer(500, "out of order");
    if (folder === "feeds") {
      const { body, headers } = atom("Arrivals at the harbour");
      return answer(200, body, headers["content-type"]);
    }
    if (folder === "tickets") return answer(200, page("Ferry tickets", tickets()));
    if (folder === "hooks") return answer(name === "down" ? 503 : 204);
    if (folder === "boats" && !name) {
      const links = boats.map(boat => `<li><a href="/boats/${boat}">${boat}</a></li>`).join("");
      return answer(200, page("Boats", `<p>All boats of the harbour.</p><ul>${links}</ul>`));
    }
    if (folder === "boats") {
      // Slow enough that a crawl is under way in the pictures.
      await sleep(3000);
      const next = Array.from({ length: 4 }, (_, at) => `<a href="/boats/${name}-${at}">Voyage ${at}</a>`);
      return answer(
        200,
        page(
          decodeURIComponent(name ?? ""),
          `<p>A ketch of twelve metres, built of larch on oak. ${next.join(" ")}</p>`,
        ),
      );
    }
    return answer(200, page("The harbour", harbour));
  });
}
