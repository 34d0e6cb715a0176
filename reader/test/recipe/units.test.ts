import { partsOf } from "../../recipe/line-parts.ts";
import { measureIn, type UnitName, unitOf } from "../../recipe/units.ts";

test.each([
  ["prep_minutes", "min", "prep"],
  ["area_m2", "m2", "area"],
  ["areaSqm", "m2", "area"],
  ["area_sq_m", "m2", "area"],
  ["mileage_km", "km", "mileage"],
  ["minutes", "min", ""],
])("%s is in %s, of %s", (name, unit, stem) => {
  expect(unitOf(name)).toEqual({ unit, stem });
});

test.each(["title", "min", "team", "items", "program", "amount_min"])("%s names no unit", name => {
  expect(unitOf(name)).toBeUndefined();
});

test.each([
  ["10 min", "min", "en", 10],
  ["1 h 15 min", "min", "en", 75],
  ["1 h 30 min", "h", "en", 1.5],
  ["2:33 h", "min", "de", 153],
  ["3 days", "d", "en", 3],
  ["64 m²", "m2", "en", 64],
  ["81,5 qm", "m2", "de", 81.5],
  ["118 sq m", "m2", "en", 118],
  ["84.500 km", "km", "de", 84_500],
  ["850 g", "kg", "en", 0.85],
  ["2 TB", "gb", "en", 2000],
  ["70%", "percent", "en", 70],
  ["24 Monate", "month", "de", 24],
  ["75", "min", "en", 75],
  ["64 m²", "kg", "en", undefined],
  ["5 stars", "min", "en", undefined],
] as [string, UnitName, string, number | undefined][])(
  "%s in %s (%s) is %s",
  (text, unit, language, value) => {
    expect(measureIn(text, unit, language)).toBe(value);
  },
);

test("a number without its unit is no measure where the unit must be stated", () => {
  expect(measureIn("75", "min", "en", true)).toBeUndefined();
});

test.each([
  ["Holm Rail · Norrvik · Full-time", ["Holm Rail", "Norrvik", "Full-time"]],
  ["284 pages · Weir Press, 2019", ["284 pages", "Weir Press, 2019"]],
  ["26 Feb 2026 – 29 min", ["26 Feb 2026", "29 min"]],
  ["Weir Press, 2019", ["Weir Press", "2019"]],
  ["dry-stone wall", ["dry-stone wall"]],
])("the parts of %s", (line, parts) => {
  expect(partsOf(line)).toEqual(parts);
});
