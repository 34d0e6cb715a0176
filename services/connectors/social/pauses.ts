import type { Store } from "../../../mixins/store/store.ts";

/** Until when networks want to be left alone: all processes that ask a network heed what one of them was told. */
export interface Pauses {
  /** Unix milliseconds; in the past where no pause is asked for. `family`: requests of one network with one limit. */
  until(family: string): Promise<number>;
  /** An earlier end than the one that is known changes nothing. */
  extend(family: string, until: number): Promise<void>;
}

/** `_id` is the family. */
export interface StoredPause {
  _id: string;
  /** Unix milliseconds. */
  until: number;
}

export const pausesCollection = "social_pauses";

export function openPauses(store: Store<StoredPause>): Pauses {
  return {
    until: async family => (await store.findById(family))?.until ?? 0,
    async extend(family, until) {
      await store.transaction(transaction => {
        const pauses = transaction.collection<StoredPause>(pausesCollection);
        const known = pauses.findById(family)?.until ?? 0;
        if (until > known) pauses.upsertById(family, { $set: { until } });
      }, "end of process");
    },
  };
}
