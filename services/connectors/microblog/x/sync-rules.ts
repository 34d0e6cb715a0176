import type { XRule } from "./answers.ts";
import { isRejected } from "./judge.ts";
import { planRules, ruleTag } from "./plan-rules.ts";
import type { XRoom } from "./room.ts";

/** Brings the rules of the stream in step with the tracked accounts; the rules of others stay untouched. */
export async function syncRules(x: XRoom, accounts: string[], signal: AbortSignal): Promise<void> {
  const { add, remove } = planRules(await ownRules(x, signal), accounts);
  if (add.length > 0) await change(x, { add: add.map(value => ({ value, tag: ruleTag })) }, signal);
  if (remove.length > 0) await change(x, { delete: { ids: remove } }, signal);
}

async function ownRules({ api }: XRoom, signal: AbortSignal): Promise<XRule[]> {
  const rules: XRule[] = [];
  let paginationToken: string | undefined;
  do {
    const { data = [], meta } = await api.ask<XRule[]>(
      "rules",
      (client, requestOptions) => {
        return client.stream.getRules({ maxResults: 1000, paginationToken, requestOptions });
      },
      signal,
    );
    rules.push(...data);
    paginationToken = meta?.next_token;
  } while (paginationToken);
  return rules.filter(({ tag }) => tag === ruleTag);
}

type Change = { add: { value: string; tag: string }[] } | { delete: { ids: string[] } };

/**
 * X takes the rules that it can and tells of the others, as when the plan has room for no more; or it rejects them all.
 * Accounts that no rule names are polled only.
 */
async function change({ api, tools }: XRoom, body: Change, signal: AbortSignal): Promise<void> {
  try {
    const { errors } = await api.ask(
      "rules",
      (client, requestOptions) => client.stream.updateRules(body, { requestOptions }),
      signal,
    );
    if (errors?.length) tools.logger.warn("x.rules.refused", { count: errors.length, first: errors[0] });
  } catch (error) {
    if (!isRejected(error)) throw error;
    tools.logger.warn("x.rules.rejected", { error: String(error), reason: String(Object(error).cause) });
  }
}
