import { type Service, startService } from "../docs/service.ts";
import { type Site, startSite } from "../support/http-site.ts";

const feed = `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Boats</title><id>tag:feed</id>
<updated>2026-01-01T00:00:00Z</updated><entry><id>tag:1</id><title>The Heron</title>
<updated>2026-01-01T00:00:00Z</updated><content type="html">It sails at dawn.</content></entry></feed>`;
const page = (title: string, text: string) =>
  `<!doctype html><html lang="en"><title>${title}</title><main><h1>${title}</h1>${text}</main></html>`;

/** A service with simulated networks, as `npm start` runs it, and the site that the programs read. */
export interface World {
  service: Service;
  site: Site;
  /** What the programs are told by. */
  env: Record<string, string>;
  close(): Promise<void>;
}

export async function startWorld(): Promise<World> {
  const site = await startSite({
    "/": page("Boats", `<p>Seven boats lie in the harbour tonight.</p><p><a href="/heron">The Heron</a></p>`),
    "/heron": page("Heron", "<p>The Heron is a ketch of twelve metres, built of larch on oak.</p>"),
    "/feed.xml": { headers: { "content-type": "application/atom+xml" }, body: feed },
    "/slow": () => undefined,
    "/hook": { status: 204 },
  });
  const service = await startService();
  const env = {
    MAGPIE_URL: service.url,
    MAGPIE_API_KEY: service.apiKey,
    MAGPIE_ADMIN_KEY: service.adminKey,
    SITE: site.url,
  };
  const close = async () => {
    await Promise.all([service.stop(), site.close()]);
  };
  return { service, site, env, close };
}

/** The operations of the service's document that a caller can use, as `GET /webhook`, by their ids. */
export async function operationsOf({ url }: Service): Promise<Map<string, string>> {
  const { paths } = (await (await fetch(`${url}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const methods = new Set(["get", "post", "put", "patch", "delete"]);
  return new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, { operationId }]) =>
        methods.has(method) ? [[operationId, `${method.toUpperCase()} ${path}`] as const] : [],
      ),
    ),
  );
}
