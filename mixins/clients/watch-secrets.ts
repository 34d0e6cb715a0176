import { invalid } from "../../services/contracts/errors.ts";
import { hiddenValue, type Secrets, type View, viewRecord } from "../../services/contracts/watch.contract.ts";
import type { JobVault } from "./job-vault.ts";

/** Headers and cookies as a view keeps them: encrypted, for its key. Undefined when there are none. */
export async function sealedSecrets(
  vault: JobVault,
  keyId: string,
  { headers = {}, cookies = {} }: Secrets,
): Promise<View["sealed"]> {
  const names = { headers: Object.keys(headers), cookies: Object.keys(cookies) };
  if (names.headers.length + names.cookies.length === 0) return undefined;
  const text = await vault.seal(viewRecord(keyId), JSON.stringify({ headers, cookies }));
  return { keyId, text, ...names };
}

export async function unsealedSecrets(vault: JobVault, { sealed }: Pick<View, "sealed">): Promise<Secrets> {
  if (!sealed) return {};
  return JSON.parse(await vault.unseal(viewRecord(sealed.keyId), sealed.text));
}

type Sent = Record<string, string> | null | undefined;

/** The values that were sent; those that an answer has hidden are the former ones. */
export function withFormer(
  field: keyof Secrets,
  sent: Sent,
  before: Record<string, string> = {},
): Record<string, string> {
  if (sent === undefined) return before;
  const entries = Object.entries(sent ?? {}).map(([name, value]) => {
    if (value !== hiddenValue) return [name, value];
    const former = Object.hasOwn(before, name) ? before[name] : undefined;
    if (former !== undefined) return [name, former];
    throw invalid(
      `options.${field}.${name}`,
      "unknown_value",
      "There is no former value; send the value itself.",
    );
  });
  return Object.fromEntries(entries);
}

/** Whether an answer has hidden one of the values. */
export function hasHidden(...sent: Sent[]): boolean {
  return sent.some(values => Object.values(values ?? {}).includes(hiddenValue));
}
