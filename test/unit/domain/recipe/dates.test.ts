import { hasTime, parseDate } from "../../../../services/domain/recipe/dates.ts";

test.each([
  ["Sat, Jun 27, 2026 · 9:00 AM - 10:00 PM EST", "2026-06-27T09:00:00-05:00"],
  ["Mittwoch, 18. März 2026, 15:00 bis 17:45 Uhr", "2026-03-18T15:00:00Z"],
  ["samedi 14 mars 2026 de 19h30 à 21h45", "2026-03-14T19:30:00Z"],
  ["1er mai 2026, 9 h", "2026-05-01T09:00:00Z"],
  ["22 March 2026, 18.00 – 21.45", "2026-03-22T18:00:00Z"],
  ["3 May 2026 7 - 9 PM", "2026-05-03T19:00:00Z"],
  ["3 May 2026, 11 - 1 PM", "2026-05-03T11:00:00Z"],
  ["3 May 2026, 7pm", "2026-05-03T19:00:00Z"],
  ["3. Mai 2026, 19 Uhr (MESZ)", "2026-05-03T19:00:00+02:00"],
  ["Fri, 3 May 2024 10:00:00 GMT+2", "2024-05-03T10:00:00+02:00"],
  ["2026-03-14T19:30:00-05:00", "2026-03-14T19:30:00-05:00"],
  ["2026-03-14 19:30:00+0100", "2026-03-14T19:30:00+01:00"],
  ["12.03.2024 14:30", "2024-03-12T14:30:00Z"],
  ["12.03.2024", "2024-03-12T00:00:00Z"],
])("%s is %s", (text, moment) => {
  expect(parseDate(text, true, "en")).toBe(moment);
});

test.each([
  ["12.03.2024", false],
  ["Doors at 7pm", true],
  ["from 19.30", true],
  ["5 May 2024 in THE END", false],
])("a time of day in %j: %j", (text, has) => {
  expect(hasTime(text)).toBe(has);
});
