import type { Quotas } from "../../mixins/clients/quotas.ts";

/** Where no key has quotas. */
export const noQuotas: Quotas = {
  has: () => false,
  charge: async (_, charges) => ({ granted: charges.map(({ id }) => id), refused: null, quotas: [] }),
  settle: async () => null,
  uses: async () => [],
};
