import { durationIn, isoDuration, minutesIn } from "../../recipe/durations.ts";

test.each([
  ["1 hr 20 mins", 80],
  ["about 20 minutes", 20],
  ["1 Stunde 15 Minuten", 75],
  ["Cuisson : 1 h 20", 80],
  ["1h05", 65],
  ["PT1H20M", 80],
  ["P1DT2H", 1560],
  ["1½ hours", 90],
  ["1,5 ore", 90],
  ["2 days 3 hours", 3060],
  ["45m", 45],
])("%s is %d minutes", (text, minutes) => {
  expect(minutesIn(text)).toBe(minutes);
});

test.each(["3 people", "Serves 4", "6 months", "P", "", "20 mice"])("%j is no duration", text => {
  expect(minutesIn(text)).toBeUndefined();
  expect(durationIn(text)).toBeUndefined();
});

test("the part of a text that is a duration", () => {
  expect(durationIn("ca. 1 hr 20 mins, plus resting")).toBe("1 hr 20 mins");
});

test.each([
  [80, "PT1H20M"],
  [60, "PT1H"],
  [45, "PT45M"],
  [0, "PT0M"],
])("%d minutes in ISO 8601: %s", (minutes, text) => {
  expect(isoDuration(minutes)).toBe(text);
});
