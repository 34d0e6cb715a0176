import { buffer } from "node:stream/consumers";
import { type Handler, type Site, startSite } from "../support/http-site.ts";

const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><nav><a href="/">Home</a></nav><main>${text}</main></html>`;

const domain = `<div><h1>Example Domain</h1><p>This domain is for use in documentation examples without needing
permission. Avoid use in operations.</p><p><a href="https://iana.org/domains/example">Learn more</a></p></div>`;
const boats = `<h1>Boats</h1><p>Seven boats lie in the harbour tonight, and the eighth is expected with the tide.</p>
<p>The <a href="/boats/heron.html">Heron</a> sails at dawn.</p>`;
const heron = `<h1>Heron</h1><p>The Heron is a ketch of twelve metres, built of larch on oak in the yard behind the
harbour.</p>`;
const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Release notes from node</title>
<id>tag:feed</id><updated>2026-01-01T00:00:00Z</updated><entry><id>tag:1</id><title>v24.0.0</title>
<updated>2026-01-01T00:00:00Z</updated><content type="html">Notes.</content></entry></feed>`;

const sitemap = `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><url>
<loc>https://example.com/boats/</loc></url></urlset>`;

/** A shop's search, which is asked by POST alone. */
const search: Handler = async (request, response) => {
  const { query } = request.method === "POST" ? JSON.parse((await buffer(request)).toString()) : {};
  if (query !== "lamps") return response.writeHead(405).end();
  const items = [
    { id: 7, name: "Lantern", price: 39 },
    { id: 9, name: "Desk lamp", price: 24 },
  ];
  return response
    .writeHead(200, { "content-type": "application/json" })
    .end(JSON.stringify({ took_ms: 3, items }));
};

/** What the documentation finds at https://example.com and https://github.com, and pages for the examples. */
export function startExampleSite(): Promise<Site> {
  return startSite({
    "/": `<!doctype html><html lang="en"><title>Example Domain</title><body>${domain}</body></html>`,
    "/boats/": page("Boats", boats),
    "/boats/heron.html": page("Heron", heron),
    "/nodejs/node/releases.atom": { headers: { "content-type": "application/atom+xml" }, body: feed },
    "/feed.xml": { headers: { "content-type": "application/atom+xml" }, body: feed },
    "/sitemap.xml": { headers: { "content-type": "application/xml" }, body: sitemap },
    "/api/search": search,
    "/hook": { status: 204 },
  });
}
