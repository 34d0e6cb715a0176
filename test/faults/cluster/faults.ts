import { setTimeout as delay } from "node:timers/promises";
import type { ServiceNode } from "../../dev/service-node.ts";
import type { Cluster } from "../../dev/start-cluster.ts";
import type { Random } from "../random.ts";
import type { Fault, ServerName } from "./plan-faults.ts";

const pausedMs = 20_000;
/** Longer than a lease lasts, and than what was told before it ended takes. */
const aftermathMs = 20_000;
const againMs = 1000;

/** For how long a node is started again that ends because a server is away; a supervisor would start it for ever. */
const startsMs = 300_000;

/** Does to a cluster what a plan says, and knows when what was going on. */
export class Faults {
  readonly #cluster: Cluster;
  readonly #random: Random;
  readonly #stopped = new Map<number, number[]>();
  readonly #troubled = new Set<ServiceNode>();
  #done: string[] = [];
  #epoch = 1;
  #underWay = 0;
  #overAt = Number.NEGATIVE_INFINITY;

  constructor(cluster: Cluster, random: Random) {
    this.#cluster = cluster;
    this.#random = random;
  }

  /** Those that are over, by name. */
  get done(): string[] {
    return this.#done;
  }

  /** The epoch rises when a fault begins and when it ends. */
  get moment(): { epoch: number; amidFault: boolean } {
    return { epoch: this.#epoch, amidFault: this.#underWay > 0 };
  }

  /** A fault goes on, or its consequences may. */
  get isTrouble(): boolean {
    return this.#underWay > 0 || performance.now() < this.#overAt + aftermathMs;
  }

  /** When (`performance.now()`) this process was killed or stopped. */
  stoppedAt(pid: number): number[] {
    return this.#stopped.get(pid) ?? [];
  }

  /**
   * Makes them after pauses of `gapMs` on average, and one in three while the one before goes on. Rejects when `others`
   * do.
   */
  async makeAll(plan: Iterable<Fault>, gapMs: number, others: Promise<unknown>): Promise<void> {
    const underWay = new Set<Promise<void>>();
    const failed = others.then(() => undefined);
    for (const fault of plan) {
      await Promise.race([delay(gapMs * (0.4 + 1.2 * this.#random())), failed]);
      const made = this.make(fault).then(() => void underWay.delete(made));
      underWay.add(made);
      // The wait for all of them reports it.
      made.catch(() => undefined);
      if (this.#random() < 2 / 3) await Promise.all(underWay);
    }
    await Promise.all(underWay);
  }

  /** Resolves when what was killed or stopped is back. */
  async make(fault: Fault): Promise<void> {
    const name = "server" in fault ? `restart ${fault.server}` : `${fault.kind} ${fault.service}`;
    console.log(`  ${new Date().toTimeString().slice(0, 8)} ${name}`);
    this.#underWay += 1;
    this.#epoch += 1;
    try {
      await this.#carryOut(fault);
    } finally {
      this.#underWay -= 1;
      this.#overAt = performance.now();
      this.#epoch += 1;
    }
    this.#done.push(name);
  }

  async #carryOut(fault: Fault): Promise<void> {
    if (fault.kind === "restart") return this.#restart(fault.server);
    const node = this.#anyOf(fault.service, "number" in fault ? fault.number : undefined);
    this.#troubled.add(node);
    await (fault.kind === "kill" ? this.#kill(node) : this.#pause(node));
    this.#troubled.delete(node);
  }

  async #kill(node: ServiceNode): Promise<void> {
    this.#note(node);
    await node.kill();
    await delay(1000 + this.#random() * 5000);
    await startAgain(node);
  }

  async #pause(node: ServiceNode): Promise<void> {
    this.#note(node);
    node.pause();
    await delay(pausedMs);
    node.resume();
  }

  async #restart(name: ServerName): Promise<void> {
    const server = this.#cluster.servers[name];
    await server.kill();
    await delay(1000 + this.#random() * 5000);
    await server.restart();
  }

  #note({ pid }: ServiceNode): void {
    this.#stopped.set(pid, [...this.stoppedAt(pid), performance.now()]);
  }

  #anyOf(service: string, number?: number): ServiceNode {
    const nodes = this.#cluster.nodes.filter(
      each =>
        each.service === service &&
        (number === undefined ? !this.#troubled.has(each) : each.number === number),
    );
    const node = nodes[Math.floor(this.#random() * nodes.length)];
    if (!node) throw new Error(`There is no node of ${service}`);
    return node;
  }
}

async function startAgain(node: ServiceNode): Promise<void> {
  for (const giveUpAt = Date.now() + startsMs; ; )
    try {
      return await node.restart();
    } catch (error) {
      if (Date.now() > giveUpAt) throw error;
      await delay(againMs);
    }
}
