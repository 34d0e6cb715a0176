import { parsePage } from "../../recipe/parse-page.ts";
import { readJson } from "../../recipe/read-json.ts";
import { array, object, pageUrl } from "./goldens.ts";

type Row = [name: string, body: string, properties: Record<string, unknown>, json: Record<string, unknown>];

function valuesOf(body: string, properties: Record<string, unknown>): Record<string, unknown> {
  const html = `<html lang="en"><head><title>About Turns</title></head><body><main>${body}</main></body></html>`;
  const found = readJson(() => parsePage(html, pageUrl), { schema: object(properties) });
  return found.ok ? found.json : {};
}

const years = "<tr><th></th><th>2026</th><th>2025</th></tr>";
const h1 = "<h1>About Turns</h1><p>It does what its name says, and does it on any day of the week.</p>";

const counts: Row[] = [
  [
    "rows of a table",
    `${h1}<table>${years}<tr><td>Employees</td><td>1,200</td><td>1,100</td></tr><tr><td>Revenue</td><td>$5</td><td>$4</td></tr></table>`,
    { employees: "integer", revenue: "number" },
    {},
  ],
  [
    "a row below the years",
    `${h1}<table><tr><th>Metric</th><th>2024</th></tr><tr><td>Users</td><td>500</td></tr></table>`,
    { users: "integer" },
    {},
  ],
  [
    "lines of two blocks",
    `${h1}<div><p>Founded in 2019</p><p>Employees are on leave</p></div>`,
    { employees: "integer" },
    {},
  ],
  [
    "one line in two spans",
    `${h1}<p><b>12</b> <span>employees</span></p>`,
    { employees: "integer" },
    { employees: 12 },
  ],
];

function entries(texts: string[]): string {
  return `<h1>All of them</h1><ul>${texts.map((text, at) => `<li class="card"><h3><a href="/p/${at}">Harrier No ${"abc"[at]}</a></h3><p>${text}</p></li>`).join("")}</ul>`;
}

const left: [name: string, property: string, texts: string[], values: unknown[]][] = [
  ["a color", "color", ["Great for town", "Good on gravel", "Light on hills"], []],
  ["a color that is one", "color", ["Red", "Dark blue", "Moss green"], ["Red", "Dark blue", "Moss green"]],
  ["a location", "location", ["Great pay", "Flexible hours", "Young team"], []],
  ["an author", "author", ["Fantasy", "Horror", "Crime"], []],
  [
    "an author that is one",
    "author",
    ["Ann Lind", "Jo Berg", "Ida Holm"],
    ["Ann Lind", "Jo Berg", "Ida Holm"],
  ],
  ["a measure", "storage", ["Very light", "Quite fast", "Rather slow"], []],
];

const forms: Row[] = [
  ["a version that is required", `${h1}<p>Requires Node 20.1.0 or later</p>`, { version: "string" }, {}],
  [
    "a version beside a required one",
    `${h1}<p>Version 3.1.0</p><p>Requires Node 20.1.0 or later</p>`,
    { version: "string" },
    { version: "3.1.0" },
  ],
  ["a fax", `${h1}<p>Fax: 0113 496 0000</p>`, { phone: "string" }, {}],
  [
    "a phone beside a fax",
    `${h1}<p>Fax: 0113 496 0000</p><p>Phone: 0113 496 0001</p>`,
    { phone: "string" },
    { phone: "0113 496 0001" },
  ],
  ["the weight of another thing", `${h1}<p>Weight limit of bag: 20 kg</p>`, { weight_kg: "number" }, {}],
  ["the length of another thing", `${h1}<p>In the box: 3 m cable</p>`, { length_m: "number" }, {}],
  ["a measure with its label", `${h1}<p>Weight: 20 kg</p>`, { weight_kg: "number" }, { weight_kg: 20 }],
  ["a measure alone", `${h1}<ul><li>20 kg</li><li>Oak</li></ul>`, { weight_kg: "number" }, { weight_kg: 20 }],
  ["a time of a step", `${h1}<ol><li>Bake for 40 minutes.</li></ol>`, { cook_minutes: "integer" }, {}],
];

const others: Row[] = [
  [
    "a heading that is no company",
    `<h1>Welder</h1><h2>About the role</h2><p>You weld all day long.</p>`,
    { title: "string", company: "string" },
    { title: "Welder" },
  ],
  [
    "a heading about a company",
    `<h1>Welder</h1><p>You weld all day long.</p><h2>About Norrvik Steel</h2>`,
    { title: "string", company: "string" },
    { title: "Welder", company: "Norrvik Steel" },
  ],
  [
    "the type of a job in a line of facts",
    `<h1>Welder</h1><div class="facts"><span>Berlin, Germany</span> <span>Full-time</span> <span>€75,000 – €95,000</span></div><p>You weld all day long.</p>`,
    { title: "string", employment_type: "string" },
    { title: "Welder", employment_type: "Full-time" },
  ],
  [
    "the type of a job in a line of one element",
    `<h1>Welder</h1><div class="employment-type">Berlin, Germany Full-time €75,000 – €95,000</div>`,
    { title: "string", employment_type: "string" },
    { title: "Welder" },
  ],
  [
    "a date beside a name",
    `<h1>A new bridge</h1><p class="date">Anna K., 3 May 2026</p><p>It is long.</p>`,
    { title: "string", date: "string" },
    { title: "A new bridge", date: "3 May 2026" },
  ],
  [
    "a question in its heading",
    `<h1>How do I trim a tree?</h1><div class="question"><p>I have one in front of the house, it is big.</p><p>Anyone?</p></div>`,
    { question: "string" },
    { question: "How do I trim a tree?" },
  ],
  [
    "a dash",
    `<h1>Fern</h1><table><tr><th>Sun</th><td>–</td></tr><tr><th>Soil</th><td>Moist</td></tr></table>`,
    { sun: "string", soil: "string" },
    { soil: "Moist" },
  ],
];

test.each(counts)("a count of %s", (_, body, properties, json) => {
  expect(valuesOf(body, properties)).toEqual(json);
});

test.each(left)("what is left of entries: %s", (_, property, texts, values) => {
  const { items } = valuesOf(entries(texts), {
    items: array(object({ name: "string", url: "string", [property]: "string" })),
  });
  expect((items as Record<string, unknown>[]).flatMap(item => item[property] ?? [])).toEqual(values);
});

test.each(forms)("a form that says something else: %s", (_, body, properties, json) => {
  expect(valuesOf(body, properties)).toEqual(json);
});

test.each(others)("a text that is more than the value: %s", (_, body, properties, json) => {
  expect(valuesOf(body, properties)).toEqual(json);
});
