import { type Answer, answerOf } from "./answer.ts";

/** Functions of one argument that can be cloned, by name; so can what they answer. */
export type Tasks = Record<string, (input: never) => unknown>;

export interface Job {
  task: string;
  input: unknown;
}

/** The default export of a worker file: runs the task that a job names. */
export function serveTasks(tasks: Tasks): (job: Job) => Promise<Answer<unknown>> {
  return ({ task, input }) => answerOf(() => tasks[task]?.(input as never));
}
