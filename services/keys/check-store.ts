import type { StoredFact } from "../../mixins/keys/verify-master-secret.ts";
import type { Store } from "../../mixins/store/store.ts";
import type { Finding } from "../contracts/health.contract.ts";

/** Whether the store of this room answers, by a fact that every installation has. */
export async function checkStore(
  { facts }: { facts: Pick<Store<StoredFact>, "findById"> },
  onFault: (error: unknown) => void,
): Promise<Finding> {
  try {
    if (await facts.findById("master-secret")) return { name: "store", status: "ok" };
  } catch (error) {
    onFault(error);
  }
  return {
    name: "store",
    status: "missing",
    detail:
      "The API keys cannot be read: look after the disk and the permissions of DATA_DIR, then restart; in a cluster, after the server at MONGO_URL.",
  };
}
