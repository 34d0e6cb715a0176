import type { ServiceBroker } from "moleculer";
import { call } from "../../services/contracts/action.ts";
import { fail, isCallTimeout, isServiceUnavailable } from "../../services/contracts/errors.ts";
import { sealText, unsealText } from "../../services/contracts/keys.contract.ts";

/** Encrypts the secrets of a job. Only the keys service holds the master secret. */
export interface JobVault {
  /** The sealed text can be opened for the same job only. */
  seal(jobId: string, text: string): Promise<string>;
  unseal(jobId: string, sealed: string): Promise<string>;
}

/** An object as it is stored: some of its fields are encrypted in `sealed`, which is absent where it has none of them. */
export type Sealed<T> = T & { sealed?: string };

const timeoutMs = 5000;

/** A vault by calls to the keys service. While that does not answer, both reject with `overloaded`. */
export function jobVaultThrough(broker: ServiceBroker): JobVault {
  return {
    seal: (id, text) =>
      call(broker, sealText, { id, text }, { timeout: timeoutMs }).catch(serviceUnavailable),
    unseal: (id, sealed) =>
      call(broker, unsealText, { id, sealed }, { timeout: timeoutMs }).catch(serviceUnavailable),
  };
}

function serviceUnavailable(error: unknown): never {
  if (!isServiceUnavailable(error) && !isCallTimeout(error)) throw error;
  throw fail("overloaded", "The keys service does not answer. Try again shortly.", {}, error);
}

/** The object with these fields encrypted. One that has none of them is returned as it is, without a call. */
export async function sealFields<T extends object>(
  vault: JobVault,
  jobId: string,
  value: T,
  names: readonly (keyof T & string)[],
): Promise<Sealed<T>> {
  const entries = Object.entries(value);
  const isSecret = ([name, field]: [string, unknown]) =>
    field !== undefined && (names as readonly string[]).includes(name);
  const secrets = entries.filter(isSecret);
  if (secrets.length === 0) return value;
  const open = Object.fromEntries(entries.filter(entry => !isSecret(entry))) as T;
  return { ...open, sealed: await vault.seal(jobId, JSON.stringify(Object.fromEntries(secrets))) };
}

/** The reverse of `sealFields`. */
export async function unsealFields<T extends object>(
  vault: JobVault,
  jobId: string,
  kept: Sealed<T>,
): Promise<T> {
  const { sealed, ...open } = kept;
  if (sealed === undefined) return kept;
  return { ...open, ...JSON.parse(await vault.unseal(jobId, sealed)) };
}
