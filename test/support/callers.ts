import { type Caller, defaultLimits } from "../../services/contracts/caller.ts";

/** Callers of keys that all exist, with what is given of them. */
export async function callersOf(keyIds: string[], bounds: Partial<Caller> = {}): Promise<Caller[]> {
  return keyIds.map(keyId => ({ keyId, owner: "ann", limits: defaultLimits, ...bounds }));
}
