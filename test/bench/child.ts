import { type ChildProcess, fork, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A helper process that answers each message with one message. */
export interface Helper<Question, Answer> {
  pid: number;
  ask(question: Question): Promise<Answer>;
  stop(): Promise<void>;
}

/** Starts a file of this folder as a process; resolves with the first thing that it says. */
export async function startHelper<Question, Answer, First = Answer>(
  file: string,
  args: string[] = [],
): Promise<Helper<Question, Answer> & { first: First }> {
  const child = fork(new URL(file, import.meta.url), args, { execArgv: ["--no-warnings"] });
  const first = (await answerOf(child)) as First;
  return {
    first,
    pid: child.pid ?? 0,
    ask: async question => {
      child.send(question as object);
      return (await answerOf(child)) as Answer;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.disconnect();
      await gone;
    },
  };
}

/** Starts a program that takes and gives messages as lines of JSON, and says one when it is ready. */
export async function startLineHelper<Question, Answer>(
  program: string,
  args: string[],
  env: NodeJS.ProcessEnv,
): Promise<Helper<Question, Answer>> {
  const child = spawn(program, args, { stdio: ["pipe", "pipe", "inherit"], env });
  createInterface(child.stdout).on("line", line => child.emit("message", JSON.parse(line)));
  await answerOf(child);
  return {
    pid: child.pid ?? 0,
    ask: async question => {
      child.stdin.write(`${JSON.stringify(question)}\n`);
      return (await answerOf(child)) as Answer;
    },
    stop: async () => {
      if (child.exitCode !== null) return;
      const gone = once(child, "exit");
      child.stdin.end();
      await gone;
    },
  };
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const stop = new AbortController();
  const ended = once(child, "exit", { signal: stop.signal }).then(() => {
    throw new Error(`${child.spawnargs.at(-1)} ended before it answered`);
  });
  ended.catch(() => undefined);
  try {
    const [answer] = await Promise.race([once(child, "message", { signal: stop.signal }), ended]);
    return answer;
  } finally {
    stop.abort();
  }
}
