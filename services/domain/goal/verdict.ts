import { oneLine } from "../text/one-line.ts";

/** What a language model says of a change. */
export interface GoalVerdict {
  meaningful: boolean;
  /** From 0 to 1. */
  confidence: number;
  reason: string;
  summary: string;
}

const names = ["confidence", "meaningful", "reason", "summary"];
/** Characters of a sentence. */
const longest = 600;
/** Characters of an answer, with what a model puts around it. */
const longestAnswer = 8000;

/**
 * Reads an answer: a JSON object with exactly the four fields, in a code fence or not, after what the model thinks. Null for anything else, whatever it
 * seems to mean: an answer that a page has bent is no verdict.
 */
export function readVerdict(answer: string): GoalVerdict | null {
  const said = answer.replace(thought, "");
  const value = said.length > longestAnswer ? undefined : parsed(said);
  if (typeof value !== "object" || value === null || Array.isArray(value)) return null;
  if (Object.keys(value).sort().join() !== names.join()) return null;
  const { meaningful, confidence, reason, summary } = value as Record<string, unknown>;
  if (typeof meaningful !== "boolean") return null;
  if (typeof confidence !== "number" || !(confidence >= 0 && confidence <= 1)) return null;
  const [why, what] = [sentence(reason), sentence(summary)];
  return why && what ? { meaningful, confidence, reason: why, summary: what } : null;
}

/** Models that reason say first what they think. */
const thought = /^\s*<think>[\s\S]*?<\/think>/i;
/** Many models put their JSON in a code fence. */
const fence = /^```(?:json)?\s*\n([\s\S]*)\n\s*```$/i;

function parsed(answer: string): unknown {
  const text = answer.trim();
  try {
    return JSON.parse(fence.exec(text)?.[1] ?? text);
  } catch {
    // No JSON is an answer that does not count.
    return undefined;
  }
}

function sentence(value: unknown): string | null {
  if (typeof value !== "string" || value.length > longest) return null;
  return oneLine(value) || null;
}
