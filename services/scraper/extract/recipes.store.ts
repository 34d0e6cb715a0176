import type { Doc, Store } from "../../../mixins/store/store.ts";
import type { Recipe } from "../../../reader/recipe/recipe.ts";
import type { JsonTools } from "./extract-json.ts";

/** A recipe that a model wrote for a site and a schema. */
export interface StoredRecipe extends Doc {
  recipe: Recipe;
  /** ISO 8601. */
  writtenAt: string;
}

/** Stores recipes by id, so that a model writes each of them once. */
export function recipeBook(store: Store<StoredRecipe>): JsonTools["recipes"] {
  return {
    get: async id => (await store.findById(id))?.recipe ?? null,
    put: async (id, recipe) => {
      const writtenAt = new Date().toISOString();
      await store.upsert(id, { $set: { recipe, writtenAt } });
    },
  };
}
