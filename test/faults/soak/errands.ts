import { startSite } from "../../support/http-site.ts";
import type { ServiceProcess } from "../deliveries/service-process.ts";

const crawlPages = 12;
/** Of the machine's clock; results are kept for longer. */
const patienceMs = 60_000;

/** Work beside the feeds: scrapes, crawls, a page that is watched and posts of a social account, each with its ledger. */
export class Errands {
  readonly done = { scrapes: 0, crawls: 0, posts: 0, edits: 0 };
  /** What is not as it must be, in sentences. */
  readonly wrong: string[] = [];
  readonly #service: ServiceProcess;
  readonly #site: Awaited<ReturnType<typeof startErrandSite>>;
  readonly #key: string;
  readonly #leap: () => Promise<void>;
  readonly #open = new Set<Promise<void>>();
  readonly #posts = new Set<string>();
  #edit = 0;

  private constructor(
    service: ServiceProcess,
    site: Awaited<ReturnType<typeof startErrandSite>>,
    key: string,
    leap: () => Promise<void>,
  ) {
    this.#leap = leap;
    this.#service = service;
    this.#site = site;
    this.#key = key;
  }

  /** `leap` resolves just after the clock's next leap. */
  static async begin(service: ServiceProcess, leap: () => Promise<void>): Promise<Errands> {
    const site = await startErrandSite();
    const limits = { requestsPerMinute: 1_000_000 };
    const made = await service.admin("POST", "/internal/keys", { owner: "errands", name: "n", limits });
    const key = (made as { data: { key: string } }).data.key;
    await service.as(key, "POST", "/webhook", { url: `${site.url}/hook` });
    await service.as(key, "POST", "/track/microblog", { sid: "corvid_lab" });
    await repeated(() => service.as(key, "POST", "/track/web", { sid: `${site.url}/edited` }));
    return new Errands(service, site, key, leap);
  }

  /** Begins what is due in a round; the rounds follow one another. */
  async round(n: number): Promise<void> {
    const text = `soak post ${n}`;
    await repeated(() =>
      this.#service.admin("POST", "/internal/sandbox/post", {
        ...{ platform: "microblog", username: "corvid_lab", text },
      }),
    );
    this.#posts.add(text);
    this.done.posts += 1;
    this.#begin(this.#scrape(n));
    if (n % 10 === 5) this.#begin(this.#crawl(n));
    if (n % 20 === 10) {
      this.#edit += 1;
      this.#site.edit(this.#edit);
      this.done.edits += 1;
    }
  }

  /** Waits until all that was begun has ended and was told, then says what was not. */
  async settle(deadline: number): Promise<void> {
    await Promise.all(this.#open);
    const lacks = () => [...this.#posts].filter(text => !this.#site.told().includes(`${text}"`));
    const isEditTold = () => this.#edit === 0 || this.#site.told().includes(`edition ${this.#edit} `);
    while (performance.now() < deadline && (lacks().length > 0 || !isEditTold())) await pause(500);
    this.wrong.push(...lacks().map(text => `${text} was never delivered`));
    if (!isEditTold()) this.wrong.push(`the last edition ${this.#edit} of the page was never told`);
  }

  close(): Promise<void> {
    return this.#site.close();
  }

  #begin(work: Promise<void>): void {
    const ended = work.catch((error: Error) => void this.wrong.push(error.message));
    this.#open.add(ended);
    void ended.then(() => this.#open.delete(ended));
  }

  async #scrape(n: number): Promise<void> {
    const path = `/page/${n}`;
    // More than the clock leaps by.
    const body = {
      ...{ url: this.#site.url + path, mode: "async", timeout: 300_000 },
      js_render: { enabled: false },
    };
    const id = await this.#accepted("/web/scrape", body, `scrape-${n}`, "scrape_id");
    const ended = await this.#ended(`/web/scrape/${id}`, `the scrape ${n}`);
    const { title } = (ended.data as { metadata: { title: string } } | undefined)?.metadata ?? { title: "" };
    if (title !== path) this.wrong.push(`the scrape of ${path} is of "${title}"`);
    this.done.scrapes += 1;
  }

  async #crawl(n: number): Promise<void> {
    const limits = { limit: crawlPages, max_depth: 2 };
    // A page of a crawl has 30 s, which a leap passes.
    await this.#leap();
    const body = { url: `${this.#site.url}/site/`, crawler: limits, js_render: { enabled: false } };
    const id = await this.#accepted("/web/crawl", body, `crawl-${n}`, "crawl_id");
    const { progress } = await this.#ended(`/web/crawl/${id}`, `the crawl ${n}`);
    const { completed } = progress as { completed: number };
    if (completed !== crawlPages) this.wrong.push(`the crawl ${n} has ${completed} pages`);
    this.done.crawls += 1;
  }

  async #accepted(path: string, body: object, key: string, field: string): Promise<string> {
    // Once, however often it is asked: the first answer may have been lost in a restart.
    const answer = await repeated(() =>
      this.#service.as(this.#key, "POST", path, body, { "idempotency-key": key }),
    );
    return String((answer as Record<string, unknown>)[field]);
  }

  async #ended(path: string, what: string): Promise<Record<string, unknown>> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      const answer = (await repeated(() => this.#service.as(this.#key, "GET", path))) as Record<
        string,
        unknown
      >;
      if (answer.status === "completed") return answer;
      if (answer.status === "failed" || performance.now() > deadline)
        throw new Error(`${what} is ${answer.status}: ${JSON.stringify(answer.error)}`);
      await pause(500);
    }
  }
}

/** Until it is answered: the service is restarted now and then. */
export async function repeated(ask: () => Promise<unknown>): Promise<unknown> {
  const deadline = performance.now() + patienceMs;
  for (;;) {
    try {
      return await ask();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await pause(200);
    }
  }
}

async function startErrandSite() {
  let edition = 0;
  const bodies: string[] = [];
  const site = await startSite(async (request, response) => {
    const path = request.url ?? "";
    if (path === "/hook") {
      let body = "";
      for await (const chunk of request.setEncoding("utf8")) body += chunk;
      bodies.push(body);
      return response.writeHead(200).end();
    }
    if (path === "/robots.txt") return response.writeHead(404).end();
    const links =
      path === "/site/" ? Array.from({ length: 30 }, (_, n) => `<a href="/site/${n}">${n}</a>`) : [];
    // Each edition is a paragraph of its own: one line that changes every few minutes is noise to a watch.
    const editions = Array.from(
      { length: edition },
      (_, n) => `<p>This is edition ${n + 1} of the page.</p>`,
    );
    const more = `<p>This is ${path}. ${"It has some more words for its readers. ".repeat(10)}</p>`;
    const words = path === "/edited" ? `${more}${editions.join("")}` : more;
    const html = `<title>${path}</title><main>${words}${links.join(" ")}</main>`;
    return response.writeHead(200, { "content-type": "text/html" }).end(html);
  });
  return {
    url: site.url,
    edit: (n: number) => {
      edition = n;
    },
    told: () => bodies.join("\n"),
    close: () => site.close(),
  };
}

/** Of the machine's clock. */
export function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms));
}
