import { type Reply, type Routes, startSite } from "../../../support/http-site.ts";
import { until } from "../../../support/until.ts";
import { AttendedService } from "../attended-service.ts";
import type { Answer, Attack, Attacks, Stage } from "./attack.ts";
import { connectionAttacks } from "./connections.attacks.ts";
import { expressionAttacks } from "./expressions.attacks.ts";
import { Innocent, type Sample } from "./innocent.ts";
import type { Hit } from "./judge-attacks.ts";
import { siteAttacks } from "./sites.attacks.ts";
import { sourceAttacks } from "./sources.attacks.ts";

const attacks: Attacks = { ...expressionAttacks, ...siteAttacks, ...sourceAttacks, ...connectionAttacks };
export const attackNames: string[] = Object.keys(attacks);
/** Those that take seconds and little memory. */
export const shortAttacks: string[] = attackNames.filter(name => attacks[name]?.isLong !== true);

export interface AttackRun {
  /** Names of attacks. */
  names: string[];
  onAlone(samples: Sample[]): void;
  onHit(hit: Hit): void;
}

const host = "127.0.0.2";
const scrapesAlone = 50;
/** Scrapes of the innocent key that are counted beside each attack, at least. */
const scrapesBeside = 5;
const answerMs = 120_000;
const plainPage =
  "<!doctype html><title>Plain</title><main><h1>A page</h1><p>Its text is as long as that of others.</p></main>";

/** Runs attacks one after the other, while an innocent key works. Returns what came of each. */
export async function runAttacks({
  names,
  onAlone,
  onHit,
}: AttackRun): Promise<{ alone: Sample[]; hits: Hit[] }> {
  const service = new AttendedService({ EGRESS_ALLOW: `${host}/32` });
  const own = await startSite({ "/": plainPage }, undefined, host);
  let innocent: Innocent | undefined;
  try {
    await service.start();
    const key = await service.newKey("innocent");
    innocent = new Innocent({ address: service.address, key, page: own.url });
    const alone = await takeSamples(innocent, scrapesAlone);
    onAlone(alone);
    const hits: Hit[] = [];
    for (const name of names) {
      const hit = await runOne(service, innocent, name, attacks[name] as Attack);
      hits.push(hit);
      onHit(hit);
    }
    return { alone, hits };
  } finally {
    await innocent?.stop();
    await service.dispose();
    await own.close();
  }
}

async function runOne(
  service: AttendedService,
  innocent: Innocent,
  name: string,
  attack: Attack,
): Promise<Hit> {
  const [site, key] = await Promise.all([startSite(routesOf(attack), undefined, host), service.newKey(name)]);
  try {
    innocent.take();
    const [deathsBefore, began] = [service.deaths, performance.now()];
    const stage: Stage = { service, site: site.url, ask: (...request) => ask(service.address, key, request) };
    const outcome = await attack.run(stage);
    const ms = Math.round(performance.now() - began);
    await service.untilReady();
    const samples = await takeSamples(innocent, scrapesBeside);
    return {
      attack: name,
      outcome,
      ms,
      deaths: service.deaths - deathsBefore,
      samples,
      memory: service.measure(),
    };
  } finally {
    await site.close();
  }
}

function routesOf({ site }: Attack): Routes {
  const none: Reply = { status: 404, body: "not found" };
  return site?.() ?? { "/": none };
}

/** The samples since the last time, once there are so many scrapes. */
async function takeSamples(innocent: Innocent, scrapes: number): Promise<Sample[]> {
  await until("an innocent key has scraped", () => innocent.count("scrape") >= scrapes, 300_000);
  return innocent.take();
}

async function ask(
  address: string,
  key: string,
  [method, path, body, headers]: Parameters<Stage["ask"]>,
): Promise<Answer> {
  try {
    const answer = await fetch(address + path, {
      method,
      headers: {
        "x-api-key": key,
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMs),
    });
    const text = await answer.text();
    return { status: answer.status, code: codeOf(text), text: text.slice(0, 100_000) };
  } catch {
    return { status: 0, code: undefined, text: "" };
  }
}

function codeOf(text: string): string | undefined {
  return /^\{"code":"(\w+)"/.exec(text)?.[1] ?? /"code":"(\w+)"/.exec(text.slice(0, 2000))?.[1];
}
