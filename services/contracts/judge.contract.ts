import type { ChangeToJudge } from "../domain/goal/change-to-judge.ts";
import type { GoalVerdict } from "../domain/goal/verdict.ts";
import { action, type ParamsOf } from "./action.ts";
import { judgeOptions } from "./kind-options.ts";
import { list, trusted } from "./schema.ts";

/** Changes of one poll that are judged, at most. */
export const mostJudged = 50;

/** What a language model says of a change, or why it says nothing. */
export type Opinion = ({ judged: true } & GoalVerdict) | { judged: false; reason: string };

/**
 * Asks the operator's language model about changes, each in a question of its own. Answers in the order of the changes and
 * within the time: what is not judged by then says so. A model that fails is an answer too.
 */
export const judgeChanges = action("scraper.judge", {
  params: {
    /** Whose changes they are; the places at the model are shared fairly among sites. */
    site: { type: "string", min: 1, max: 2048 },
    goal: judgeOptions.goal,
    changes: { type: "array", min: 1, max: mostJudged, items: trusted<ChangeToJudge>() },
    withinMs: { type: "number", integer: true, min: 1, max: 60_000 },
  },
  result: list(trusted<Opinion>()),
});
export type JudgeRequest = ParamsOf<typeof judgeChanges>;
