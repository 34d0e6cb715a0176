import type { PageAction } from "../../contracts/page-actions.ts";
import { refuse } from "./options.ts";

/** An action as clients send it. */
export type ActionSent = { type?: unknown } & Record<string, unknown>;

/** Actions under their names there, and the names of their fields here. */
const actions: Record<string, { type: PageAction["type"]; fields: Record<string, keyof PageAction> }> = {
  wait: { type: "wait", fields: { milliseconds: "ms", selector: "selector" } },
  click: { type: "click", fields: { selector: "selector" } },
  write: { type: "type", fields: { text: "text", selector: "selector" } },
  press: { type: "press", fields: { key: "key" } },
  scroll: { type: "scroll", fields: { direction: "direction", selector: "selector" } },
  screenshot: { type: "screenshot", fields: { fullPage: "full_page", quality: "full_page" } },
};

/** Actions into ours. Throws a 400 that names the first action or field that Magpie does not have. */
export function actionsOf(sent: ActionSent[]): Partial<PageAction>[] {
  return sent.map(actionOf);
}

function actionOf({ type, ...sent }: ActionSent, at: number): Partial<PageAction> {
  const field = `actions.${at}`;
  const known = typeof type === "string" && Object.hasOwn(actions, type) ? actions[type] : undefined;
  if (!known)
    throw refuse(field, `the action ${JSON.stringify(type)}. It has ${Object.keys(actions).join(", ")}.`);
  const other = Object.keys(sent).find(name => sent[name] && !Object.hasOwn(known.fields, name));
  if (other !== undefined) throw refuse(`${field}.${other}`, `an option of the action ${type}.`);
  const named = Object.entries(sent).flatMap(([name, value]) => renamed(known.fields[name], name, value));
  // Theirs scrolls down unless it is told; ours wants to be told.
  const direction = known.type === "scroll" && !sent.direction ? { direction: "down" as const } : {};
  return { type: known.type, ...Object.fromEntries(named), ...direction };
}

/** Pictures are PNG: there is no quality to choose. */
function renamed(ours: string | undefined, name: string, value: unknown): [string, unknown][] {
  return ours === undefined || name === "quality" || value === null || value === undefined
    ? []
    : [[ours, value]];
}
