import { type Site, startSite } from "../support/http-site.ts";
import { type NameServer, startNameServer } from "../support/name-server.ts";
import { type Bench, interleave, median, type Outcome, ratioOf, verdict } from "./compare.ts";
import { type Program, startProgram } from "./program.ts";
import type { Visitor } from "./visitor.ts";

const rounds = 3;
const stylesheets = 70;
/** What the name server takes of a burst; it drops the rest, as home routers and container networks do. */
const burst = 8;
const hangingNames = 64;
const samples = 40;

/**
 * What names cost that do not resolve: a rendered page with 70 stylesheets at one of them beside the same page without,
 * and a neighbour's plain scrapes, each with a lookup, while another key's 64 names never answer beside alone.
 */
export const names: Bench = async () => {
  const site = await startSite({
    "/plain": page(0),
    "/names": page(stylesheets),
    "/text": "<p>Some text.</p>",
  });
  const server = await startNameServer({
    "neighbour.example": { addresses: ["127.0.0.1"] },
    ...Object.fromEntries(hanging.map(name => [name, "silent" as const])),
  });
  server.dropAbove(burst);
  const program = await startProgram([], { EGRESS_DNS_SERVERS: server.address, LOG_LEVEL: "error" });
  try {
    return [await ofPages(program, site), await ofNeighbours(program, site, server)];
  } finally {
    await program.stop();
    await Promise.all([site.close(), server.close()]);
  }
};

const hanging = Array.from({ length: hangingNames }, (_, n) => `hang-${n}.example`);

/** Its script sends it to the browser. */
function page(links: number): string {
  const link = (_: unknown, n: number) => `<link rel="stylesheet" href="http://nowhere.example/${n}.css">`;
  const sheets = Array.from({ length: links }, link).join("");
  return `<!doctype html><title>Page</title>${sheets}<p id="p">Text</p><script>document.getElementById("p").textContent = "Text of a script"</script>`;
}

async function ofPages(program: Program, { url }: Site): Promise<Outcome> {
  const measured = await interleave(rounds, {
    names: () => elapsed(program.scrape(`${url}/names`)),
    plain: () => elapsed(program.scrape(`${url}/plain`)),
  });
  const ratio = ratioOf(measured.names, measured.plain);
  const text = `names: rendered page with ${stylesheets} stylesheets at a name that does not resolve ${median(measured.names).toFixed(0)} ms, without them ${median(measured.plain).toFixed(0)} ms, factor ${ratio.toFixed(2)}`;
  return verdict(text, ratio, "<=", 2);
}

async function ofNeighbours(program: Program, { port }: Site, server: NameServer): Promise<Outcome> {
  const greedy = await program.another("greedy");
  const url = `http://neighbour.example:${port}/text`;
  const neighbour = async () => {
    const times: number[] = [];
    for (let sample = 0; sample < samples; sample += 1) times.push(await elapsed(program.scrape(url)));
    return median(times);
  };
  const measured = await interleave(rounds, {
    alone: neighbour,
    beside: async () => {
      const before = server.questions.length;
      const stuck = hanging.map(name => refusedAt(greedy, `http://${name}:${port}/`));
      while (server.questions.length === before) await new Promise(resolve => setTimeout(resolve, 5));
      const time = await neighbour();
      await Promise.all(stuck);
      return time;
    },
  });
  await greedy.leave();
  const ratio = ratioOf(measured.beside, measured.alone);
  const text = `names: a neighbour's plain scrape alone ${median(measured.alone).toFixed(1)} ms, beside another key's ${hangingNames} names that never answer ${median(measured.beside).toFixed(1)} ms, factor ${ratio.toFixed(2)}`;
  return verdict(text, ratio, "<=", 1.5);
}

async function refusedAt(visitor: Visitor, url: string): Promise<void> {
  const wasRead = await visitor.scrape(url).then(
    () => true,
    () => false,
  );
  if (wasRead) throw new Error(`${url} was read`);
}

async function elapsed(work: Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work;
  return performance.now() - started;
}
