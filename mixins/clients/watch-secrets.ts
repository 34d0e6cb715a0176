import { invalid } from "../../services/contracts/errors.ts";
import type { PageAction } from "../../services/contracts/page-actions.ts";
import {
  hiddenValue,
  type Secrets,
  type View,
  viewRecord,
  type WatchOptions,
} from "../../services/contracts/watch.contract.ts";
import type { JobVault } from "./job-vault.ts";

/** Headers, cookies, typed texts and the body as a view keeps them: encrypted, for its key. Undefined when there are none. */
export async function sealedSecrets(
  vault: JobVault,
  keyId: string,
  { headers = {}, cookies = {}, typed = {}, body }: Secrets,
): Promise<View["sealed"]> {
  const names = { headers: Object.keys(headers), cookies: Object.keys(cookies) };
  const texts = Object.keys(typed);
  const hasBody = body !== undefined;
  if (names.headers.length + names.cookies.length + texts.length === 0 && !hasBody) return undefined;
  const secrets = { headers, cookies, ...(texts.length > 0 && { typed }), ...(hasBody && { body }) };
  const text = await vault.seal(viewRecord(keyId), JSON.stringify(secrets));
  return {
    ...{ keyId, text, ...names },
    ...(texts.length > 0 && { typed: texts }),
    ...(hasBody && { body: true as const }),
  };
}

export async function unsealedSecrets(vault: JobVault, { sealed }: Pick<View, "sealed">): Promise<Secrets> {
  if (!sealed) return {};
  return JSON.parse(await vault.unseal(viewRecord(sealed.keyId), sealed.text));
}

/** The options of a watch that are encrypted until it is made. */
export const secretOptions = ["headers", "cookies", "actions", "body"] as const;

type Sent = Record<string, string> | null | undefined;

/** The values that were sent; those that an answer has hidden are the former ones. */
export function withFormer(
  field: "headers" | "cookies" | "typed",
  sent: Sent,
  before: Record<string, string> = {},
): Record<string, string> {
  if (sent === undefined) return before;
  const entries = Object.entries(sent ?? {}).map(([name, value]) => {
    if (value !== hiddenValue) return [name, value];
    const former = Object.hasOwn(before, name) ? before[name] : undefined;
    if (former !== undefined) return [name, former];
    throw unknown(field === "typed" ? "options.actions" : `options.${field}.${name}`);
  });
  return Object.fromEntries(entries);
}

/** The body that was sent; one that an answer has hidden is the former one. */
export function bodyOrFormer(sent: WatchOptions["body"] | null, before: Secrets["body"]): Secrets["body"] {
  if (sent === undefined) return before;
  if (sent !== hiddenValue) return sent ?? undefined;
  if (before === undefined) throw unknown("options.body");
  return before;
}

function unknown(field: string): Error {
  return invalid(field, "unknown_value", "There is no former value; send the value itself.");
}

/** Whether an answer has hidden one of the values. */
export function hasHidden(...sent: Sent[]): boolean {
  return sent.some(values => Object.values(values ?? {}).includes(hiddenValue));
}

/** The texts that actions type, by the selector that each is for and how often that came before. */
export function typedIn(actions: readonly PageAction[]): Record<string, string> {
  const texts = named(actions).flatMap(({ name, action: { text } }) =>
    name && text !== undefined ? [[name, text]] : [],
  );
  return Object.fromEntries(texts);
}

/** Actions that type these texts. */
export function withTyped(actions: readonly PageAction[], typed: Record<string, string>): PageAction[] {
  return named(actions).map(({ name, action }) => {
    const text = name === undefined ? undefined : typed[name];
    return text === undefined ? action : { ...action, text };
  });
}

/** Actions whose texts are hidden. */
export function withoutTyped(actions: readonly PageAction[]): PageAction[] {
  const texts = Object.keys(typedIn(actions)).map(name => [name, hiddenValue]);
  return withTyped(actions, Object.fromEntries(texts));
}

function named(actions: readonly PageAction[]): { action: PageAction; name?: string }[] {
  const counts = new Map<string, number>();
  return actions.map(action => {
    if (action.type !== "type") return { action };
    const { selector = "" } = action;
    const count = counts.get(selector) ?? 0;
    counts.set(selector, count + 1);
    return { action, name: `${count} ${selector}` };
  });
}
