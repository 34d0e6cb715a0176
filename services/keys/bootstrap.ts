import type { StoredFact } from "../../mixins/store/master-secret.ts";
import type { Store } from "../../mixins/store/store.ts";
import { codeOf } from "../contracts/errors.ts";
import type { Finding } from "../contracts/health.contract.ts";
import { insertKey } from "./api-keys.ts";
import type { KeysContext } from "./context.ts";

/**
 * Creates the first key of the installation. Each value is added once: a key that an administrator deleted does not come
 * back at the next start. A changed value is added beside the former one.
 */
export async function ensureBootstrapKey(context: KeysContext, value: string | undefined): Promise<void> {
  if (value === undefined) return;
  const lookup = context.vault.lookup(value);
  if ((await context.facts.findById("bootstrap"))?.value === lookup) return;
  await insertOnce(context, value);
  await context.facts.upsert("bootstrap", { $set: { value: lookup } });
}

/** The limit per owner does not apply: without this key nobody could call the API. */
async function insertOnce(context: KeysContext, value: string): Promise<void> {
  if (await context.keys.findOne({ lookup: context.vault.lookup(value) })) return;
  try {
    await insertKey(context, { owner: "default", name: "default", value }, Infinity);
  } catch (error) {
    // Another node that starts at the same time added it.
    if (codeOf(error) !== "conflict") throw error;
  }
}

/** Whether the store answers. It reads a record that every installation has. */
export async function checkStore(
  { facts }: { facts: Pick<Store<StoredFact>, "findById"> },
  onError: (error: unknown) => void,
): Promise<Finding> {
  try {
    if (await facts.findById("master-secret")) return { name: "store", status: "ok" };
  } catch (error) {
    onError(error);
  }
  return {
    name: "store",
    status: "missing",
    detail:
      "The API keys cannot be read: look after the disk and the permissions of DATA_DIR, then restart; in a cluster, after the server at MONGO_URL.",
  };
}
