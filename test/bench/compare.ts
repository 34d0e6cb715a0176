/** One line of the report. `met` is undefined where a side could not be run. */
export interface Outcome {
  line: string;
  met?: boolean;
}

/** `folder`: the data set, for a bench that reads one. */
export type Bench = (folder?: string) => Promise<Outcome[]>;

/** One round of one side; answers what it measured. */
export type Side<Value = number> = () => Promise<Value>;

/** Runs the sides in turn, A B A B…, so that what else the machine does falls on all; the first round warms up. */
export async function interleave<Name extends string, Value = number>(
  rounds: number,
  sides: Record<Name, Side<Value>>,
): Promise<Record<Name, Value[]>> {
  const measured = Object.fromEntries(Object.keys(sides).map(name => [name, [] as Value[]]));
  for (let round = 0; round <= rounds; round += 1)
    for (const [name, side] of Object.entries<Side<Value>>(sides)) {
      const value = await side();
      if (round > 0) measured[name]?.push(value);
    }
  return measured as Record<Name, Value[]>;
}

/** The median over the rounds of one side over the other; both ran next to each other in each round. */
export function ratioOf(ours: number[], theirs: number[]): number {
  return median(ours.map((value, round) => value / (theirs[round] ?? Number.NaN)));
}

export function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

/** `goal`: what it is to become; the bar is what it is held at. */
export function verdict(
  text: string,
  value: number,
  comparison: ">=" | "<=",
  bar: number,
  goal?: number | string,
): Outcome {
  const met = comparison === ">=" ? value >= bar : value <= bar;
  const beside = goal === undefined ? "" : `, goal ${comparison} ${goal}`;
  return { line: `${text} (bar ${comparison} ${bar}${beside}): ${met ? "pass" : "MISS"}`, met };
}

/** Does all jobs, `lanes` at a time, and answers how many were done per second. */
export async function rate<Job>(
  jobs: Job[],
  lanes: number,
  work: (job: Job, lane: number) => Promise<unknown>,
) {
  const started = performance.now();
  const queue = jobs.values();
  await Promise.all(
    Array.from({ length: lanes }, async (_, lane) => {
      for (const job of queue) await work(job, lane);
    }),
  );
  return jobs.length / ((performance.now() - started) / 1000);
}
