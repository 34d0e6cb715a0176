import { Worker } from "node:worker_threads";
import type { PageFiles } from "./data-sets.ts";
import type { PageScore } from "./measure.ts";
import type { TrainOptions } from "./train-trees.ts";

/** What is trained and measured. */
export interface Task {
  files: PageFiles[];
  /** Models that are trained without a part of the sites, and measured on that part. */
  folds: number;
  /** Whether a model of all pages is wanted too. */
  all: boolean;
  options: Partial<TrainOptions>;
}

/** The part of one thread: each has prepared the pages once for all of its models. */
export interface ThreadTask extends Task {
  thread: number;
  threads: number;
}

/** What a thread sends after each model. */
export interface Trained {
  fold: number;
  /** Scores of the pages whose sites the model has not seen. */
  scores: PageScore[];
  /** The model of all pages, as its file has it. */
  model?: Uint8Array;
}

/** Trains all models, `threads` at a time. The result does not depend on how many those are. */
export async function trainAll(
  task: Task,
  threads: number,
  onTrained: (trained: Trained) => void,
): Promise<{ scores: PageScore[]; model: Uint8Array | undefined }> {
  const trained: Trained[] = [];
  const keep = (each: Trained) => {
    trained.push(each);
    onTrained(each);
  };
  const used = Math.max(1, Math.min(threads, task.folds + Number(task.all)));
  await Promise.all(
    Array.from({ length: used }, (_, thread) => runThread({ ...task, thread, threads: used }, keep)),
  );
  trained.sort((a, b) => a.fold - b.fold);
  return {
    scores: trained.flatMap(({ scores }) => scores),
    model: trained.find(({ model }) => model !== undefined)?.model,
  };
}

function runThread(task: ThreadTask, onTrained: (trained: Trained) => void): Promise<void> {
  const worker = new Worker(new URL("./fold.worker.ts", import.meta.url), {
    workerData: task,
    resourceLimits: { maxOldGenerationSizeMb: 8192 },
  });
  return new Promise((resolve, reject) => {
    worker.on("message", onTrained);
    worker.once("error", reject);
    worker.once("exit", code => (code === 0 ? resolve() : reject(new Error(`A thread ended with ${code}.`))));
  });
}
