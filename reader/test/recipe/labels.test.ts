import { array, object } from "./goldens.ts";
import { readRecipe, recipeFor, site } from "./template.ts";

const minutes = { type: "string", format: "duration" };
const moment = { type: "string", format: "date-time" };
const day = { type: "string", format: "date" };
const texts = array("string");

function read(body: string, properties: Record<string, unknown>): unknown {
  const html = site("Plum Crumble", `<main><h1>Plum Crumble</h1>${body}</main>`);
  const recipe = recipeFor(html, object(properties));
  return recipe && readRecipe(html, recipe);
}

test.each([
  [
    "facts of one line",
    "<p>Serves 4 | Prep time 10 mins | Cooking time 1 hr 20 mins</p>",
    { servings: "integer", prep_time: minutes, cook_time: minutes },
    { servings: 4, prep_time: "PT10M", cook_time: "PT1H20M" },
  ],
  [
    "words without a sign beside their values",
    "<div><div><span>Prep</span><span>15 min</span></div><div><span>Total</span><span>1 h</span></div></div>",
    { prep_time: minutes, total_time: minutes },
    { prep_time: "PT15M", total_time: "PT1H" },
  ],
  [
    "minutes as a number",
    "<p>Ready in about 1 hour 5 minutes</p>",
    { total_time: "number" },
    { total_time: 65 },
  ],
  [
    "headings above the first line of a block",
    "<h2>Date and time</h2><p>Sat, Mar 14, 2026 · 7:30 PM - 10:00 PM EST</p><h2>Location</h2><div><p>The Tannery</p><p>12 Quay Street</p></div>",
    { starts_at: moment, location: "string" },
    { starts_at: "2026-03-14T19:30:00-05:00", location: "The Tannery" },
  ],
  [
    "a time that stands apart from its day",
    "<dl><dt>Date:</dt><dd>March 14, 2026</dd><dt>Time:</dt><dd>7:30 pm - 9:45 pm EST</dd></dl>",
    { starts_at: moment },
    { starts_at: "2026-03-14T19:30:00-05:00" },
  ],
  [
    "a salary within a line, and when to apply",
    "<p>Full-time position. Salary: $61,000 - $78,000 per year</p><p>Apply by May 3, 2026</p>",
    { salary: "string", deadline: day, employment_type: { enum: ["FULL_TIME", "PART_TIME"] } },
    { salary: "$61,000 - $78,000 per year", deadline: "2026-05-03", employment_type: "FULL_TIME" },
  ],
  [
    "employment in another language than the schema's",
    "<ul><li>Arbeitszeit: Teilzeit</li></ul>",
    { employment_type: { type: "string", enum: ["FULL_TIME", "PART_TIME"] } },
    { employment_type: "PART_TIME" },
  ],
  [
    "lines below their names",
    "<div><b>Ingredients:</b><br>2 plums<br>4 cloves garlic, crushed<br><br><b>Directions:</b><br>1. Heat the oven.<br>2. Bake it.<br>Enjoy!</div>",
    { ingredients: texts, instructions: texts },
    { ingredients: ["2 plums", "4 cloves garlic, crushed"], instructions: ["Heat the oven.", "Bake it."] },
  ],
  [
    "rows of a table below a note",
    "<h2>Zutaten</h2><p>Für 4 Portionen</p><table><tr><td>250 g</td><td>Mehl</td></tr><tr><td>3</td><td>Eier</td></tr></table><h2>Zubereitung</h2><div><p>Den Ofen heizen.</p><p>Backen.</p></div>",
    { ingredients: texts, instructions: texts },
    { ingredients: ["250 g Mehl", "3 Eier"], instructions: ["Den Ofen heizen.", "Backen."] },
  ],
  [
    "blocks with a number and a text",
    '<h2>Directions</h2><div><div class="s"><span>1</span><div class="t">Heat the oven to 200 degrees.</div></div><div class="s"><span>2</span><div class="t">Bake for 20 minutes.</div></div></div><h2>Tips</h2>',
    { instructions: texts },
    { instructions: ["Heat the oven to 200 degrees.", "Bake for 20 minutes."] },
  ],
])("%s", (_, body, properties, wanted) => {
  expect(read(body, properties)).toEqual(wanted);
});

test.each([
  ["a note is no list", "<h2>Ingredients</h2><p>As you like.</p>", { ingredients: texts }],
  ["a count of people is no duration", "<p>Prep: 3 people</p>", { prep_time: minutes }],
  ["a salary has an amount", "<p>Salary: competitive</p>", { salary: "string" }],
  ["a day of publication is no start", "<p>Posted on March 14, 2026 at 7:30 pm</p>", { start: day }],
])("%s", (_, body, properties) => {
  expect(read(body, properties)).toBeNull();
});
