/** The thread that evaluates expressions of users: one job at a time, each answered by one message. */
import process from "node:process";
import { parentPort } from "node:worker_threads";
import jsonata from "jsonata";
import type { Job, Match, Problem, Transformed } from "./jobs.ts";
import { limits } from "./limits.ts";

type Expression = ReturnType<typeof jsonata>;

/** What is thrown of an expression that goes beyond a limit. */
class Limit extends Error {}
class Late extends Limit {}

/** Milliseconds of one turn: a job with many events ends then, and the rest comes with another. */
const turnMs = 250;

const compiled = new Map<string, Expression>();
const mostCompiled = 200;

function compile(text: string): Expression {
  const known = compiled.get(text);
  if (known) return known;
  const expression = jsonata(text, { stack: limits.depth, sequence: limits.entries });
  guard(expression);
  const [oldest] = compiled.keys();
  if (compiled.size >= mostCompiled && oldest !== undefined) compiled.delete(oldest);
  compiled.set(text, expression);
  return expression;
}

let startedAt = process.cpuUsage();
let steps = 0;
/** Steps between two looks at the clock of the processor, which is a call of the system. */
const stepsPerLook = 64;

/** JSONata calls these at each step (its own `timeout` counts what other programs take of the processor, too). */
function guard(expression: Expression): void {
  const hooks = expression as unknown as { assign(name: symbol, hook: (...args: unknown[]) => void): void };
  hooks.assign(Symbol.for("jsonata.__evaluate_entry"), () => {
    steps += 1;
    if (steps % stepsPerLook === 0 && cpuMs() > limits.cpuMs)
      throw new Late(`It takes more than ${limits.cpuMs} ms.`);
  });
  hooks.assign(Symbol.for("jsonata.__evaluate_exit"), (_expr, _input, _environment, result) => {
    if (typeof result === "string" && result.length > limits.text)
      throw new Limit(`A text has more than ${limits.text.toLocaleString("en")} characters.`);
  });
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage(startedAt);
  return (user + system) / 1000;
}

async function evaluate(
  text: string,
  input: unknown,
  bindings: Record<string, unknown> = {},
): Promise<unknown> {
  startedAt = process.cpuUsage();
  return await compile(text).evaluate(input, bindings);
}

function failed(error: unknown): Problem {
  return { problem: wordsOf(error), ...(error instanceof Late && { isLate: true }) };
}

/** Says what is wrong in a sentence, with the place in the expression where it is known. */
function wordsOf(error: unknown): string {
  if (error instanceof Limit) return error.message;
  const { message, position } = Object(error) as { message?: unknown; position?: unknown };
  const said = String(message ?? error).slice(0, 300);
  return typeof position === "number" && position > 0 ? `${said} (at character ${position})` : said;
}

function check(text: string): Problem | boolean {
  try {
    compile(text);
    return true;
  } catch (error) {
    return failed(error);
  }
}

async function match(text: string, events: readonly string[]): Promise<Match[]> {
  const matches: Match[] = [];
  const began = performance.now();
  for (const event of events) {
    if (matches.length > 0 && performance.now() - began > turnMs) break;
    try {
      matches.push(isTrue(await evaluate(text, JSON.parse(event))));
    } catch (error) {
      matches.push(failed(error));
    }
  }
  return matches;
}

/** As `$boolean` of JSONata, where nothing is false. */
function isTrue(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isTrue);
  if (typeof value !== "object" || value === null) return Boolean(value);
  return !isFunction(value) && Object.keys(value).length > 0;
}

/** What JSONata has for a function. */
function isFunction(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    ("_jsonata_function" in value || "_jsonata_lambda" in value)
  );
}

async function transform(
  text: string,
  event: string,
  bindings: Record<string, unknown>,
): Promise<Transformed> {
  try {
    return written(await evaluate(text, JSON.parse(event), bindings));
  } catch (error) {
    return failed(error);
  }
}

function written(value: unknown): Transformed {
  const isText = typeof value === "string";
  const body = isText ? value : JSON.stringify(value, (_, part) => (isFunction(part) ? undefined : part));
  if (body === undefined) return { problem: "It gives nothing for this event." };
  if (Buffer.byteLength(body) > limits.bytes)
    return { problem: `Its result has more than ${limits.bytes / 1024} KB.` };
  return { contentType: isText ? "text/plain; charset=utf-8" : "application/json", body };
}

async function resultOf(job: Job): Promise<unknown> {
  if (job.is === "check") return check(job.expression);
  if (job.is === "match") return await match(job.expression, job.events);
  return await transform(job.expression, job.event, job.bindings);
}

// What a result of an expression holds of these would be there for the next one.
Object.preventExtensions(Object.prototype);
Object.preventExtensions(Array.prototype);
Object.preventExtensions(Function.prototype);
parentPort?.on("message", async (job: Job) => parentPort?.postMessage(await resultOf(job)));
parentPort?.postMessage(null);
