import { checkCss } from "../../../reader/recipe/check-selector.ts";
import type { RequestBudget } from "../../../reader/text/request-budget.ts";
import type { DetailCode, FieldError } from "../errors/detail-codes.ts";

/** Milliseconds that all actions of a page together may take. */
export const maxActionsMs = 60_000;

interface Action {
  type: "wait" | "click" | "type" | "press" | "scroll" | "screenshot";
  selector?: string;
  ms?: number;
  text?: string;
  key?: string;
  direction?: string;
  full_page?: boolean;
  totp?: string;
}

/** What is wanted of the browser. */
export interface Rendering {
  enabled: boolean;
  wait_for?: { selector?: string; ms?: number };
  actions?: readonly Action[];
}

/** The first error in what to wait for and to do in the browser; null when there is none. A page has `pageMs`. */
export function checkRendering(
  { enabled, wait_for, actions = [] }: Rendering,
  pageMs: number,
  budget: RequestBudget,
): FieldError | null {
  if (!enabled && wait_for !== undefined) return needsBrowser("js_render.wait_for");
  if (!enabled && actions.length > 0) return needsBrowser("js_render.actions");
  return checkWait(wait_for, budget) ?? checkActions(actions, budget) ?? checkTime(wait_for, actions, pageMs);
}

/** Milliseconds that the actions of a login may wait, together. */
const maxLoginMs = 20_000;

/** The first error in a login; null when there is none. */
export function checkLogin(
  field: string,
  { actions, when }: { actions: readonly Action[]; when?: string },
  budget: RequestBudget,
): FieldError | null {
  const typing = actions.findIndex(({ type, selector }) => type === "type" && selector === undefined);
  if (typing !== -1)
    return error(`${field}.actions.${typing}.selector`, "required", "A login says where it types.");
  if (waitsOf(actions) > maxLoginMs)
    return error(`${field}.actions`, "too_long", "The actions of a login wait 20 s at most, all together.");
  return checkEach(`${field}.actions`, actions, budget) ?? checkSelector(`${field}.when`, when, budget);
}

/** The first text that is no selector. */
export function checkSelectors(
  field: string,
  selectors: readonly string[] = [],
  budget: RequestBudget,
): FieldError | null {
  for (const [index, selector] of selectors.entries()) {
    const wrong = checkSelector(`${field}.${index}`, selector, budget);
    if (wrong) return wrong;
  }
  return null;
}

function checkWait(wait: Rendering["wait_for"], budget: RequestBudget): FieldError | null {
  const field = "js_render.wait_for";
  if (wait === undefined) return null;
  if (wait.selector === undefined && wait.ms === undefined)
    return error(field, "required", "Say what to wait for: selector, ms or both.");
  return checkSelector(`${field}.selector`, wait.selector, budget);
}

/** What each type of action needs and may have, besides `type`. */
const fieldsOf: Record<Action["type"], { needs: (keyof Action)[]; mayHave: (keyof Action)[] }> = {
  wait: { needs: [], mayHave: ["ms", "selector"] },
  click: { needs: ["selector"], mayHave: [] },
  type: { needs: ["text"], mayHave: ["selector"] },
  press: { needs: ["key"], mayHave: [] },
  scroll: { needs: ["direction"], mayHave: ["selector"] },
  screenshot: { needs: [], mayHave: ["full_page"] },
};

function isOneTime({ type, totp }: Action): boolean {
  return type === "type" && totp !== undefined;
}

/** What is typed in place of a text. */
const oneTimePassword: (typeof fieldsOf)["type"] = { needs: ["selector"], mayHave: ["totp"] };

function checkEach(field: string, actions: readonly Action[], budget: RequestBudget): FieldError | null {
  for (const [index, action] of actions.entries()) {
    const wrong = checkAction(`${field}.${index}`, action, budget);
    if (wrong) return wrong;
  }
  return null;
}

function checkActions(actions: readonly Action[], budget: RequestBudget): FieldError | null {
  const wrong = checkEach("js_render.actions", actions, budget);
  if (wrong) return wrong;
  if (waitsOf(actions) <= maxActionsMs) return null;
  const message = `The actions of a page wait ${maxActionsMs / 1000} s at most, all together.`;
  return error("js_render.actions", "too_long", message);
}

function checkAction(field: string, action: Action, budget: RequestBudget): FieldError | null {
  const { needs, mayHave } = isOneTime(action) ? oneTimePassword : fieldsOf[action.type];
  const missing = needs.find(name => action[name] === undefined);
  if (missing !== undefined)
    return error(`${field}.${missing}`, "required", `A ${action.type} action needs \`${missing}\`.`);
  const known = new Set<string>(["type", ...needs, ...mayHave]);
  const given = Object.entries(action).filter(([, value]) => value !== undefined);
  const [extra] = given.find(([name]) => !known.has(name)) ?? [];
  if (extra !== undefined)
    return error(`${field}.${extra}`, "not_applicable", `A ${action.type} action has no \`${extra}\`.`);
  if (action.type === "wait" && (action.ms === undefined) === (action.selector === undefined))
    return error(field, "required", "A wait action needs one of ms and selector.");
  return checkSelector(`${field}.selector`, action.selector, budget);
}

function checkTime(
  wait: Rendering["wait_for"],
  actions: readonly Action[],
  pageMs: number,
): FieldError | null {
  const waitsMs = (wait?.ms ?? 0) + waitsOf(actions);
  if (waitsMs < pageMs) return null;
  return error(
    "js_render",
    "too_long",
    `These waits take ${waitsMs} ms, and the page has ${pageMs} ms in all.`,
  );
}

function waitsOf(actions: readonly Action[]): number {
  return actions.reduce((sum, { ms = 0 }) => sum + ms, 0);
}

function needsBrowser(field: string): FieldError {
  return error(field, "not_applicable", "This needs the browser: leave js_render.enabled out, or this.");
}

function checkSelector(
  field: string,
  selector: string | undefined,
  budget: RequestBudget,
): FieldError | null {
  if (selector === undefined) return null;
  const shown = selector.length > 100 ? `${selector.slice(0, 100)}…` : selector;
  const problem = checkCss(selector, budget, JSON.stringify(shown));
  return problem === null ? null : error(field, "invalid_selector", problem);
}

function error(field: string, code: DetailCode, message: string): FieldError {
  return { field, code, message };
}
