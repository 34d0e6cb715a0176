import type { Doc, Store } from "../../../mixins/store/store.ts";
import type { JsonTools } from "./extract-json.ts";
import type { Plan } from "./write-recipe.ts";

/** A recipe that a model wrote for a site and a request, and the names of the values that it gives itself. */
export interface StoredRecipe extends Doc {
  recipe: Plan["recipe"] | null;
  values: Plan["values"] | null;
  /** ISO 8601. */
  writtenAt: string;
}

/** Stores plans by id, so that a model makes each of them once. */
export function recipeBook(store: Store<StoredRecipe>): JsonTools["recipes"] {
  return {
    get: async id => {
      const { recipe, values } = (await store.findById(id)) ?? {};
      return recipe || values ? { ...(recipe && { recipe }), ...(values && { values }) } : null;
    },
    put: async (id, { recipe = null, values = null }) => {
      const writtenAt = new Date().toISOString();
      await store.upsert(id, { $set: { recipe, values, writtenAt } });
    },
  };
}
