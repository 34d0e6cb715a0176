import { answered, promptPages, refused } from "./prompts.ts";
import { readRecipe, recipeOf } from "./template.ts";

test.each(answered)("%s: %s", (page, prompt, json) => {
  const recipe = recipeOf(promptPages[page], { prompt });
  expect(recipe && readRecipe(promptPages[page], recipe)).toEqual(json);
});

test.each(refused)("%s: %s: no answer", (page, prompt) => {
  expect(recipeOf(promptPages[page], { prompt })).toBeNull();
});
