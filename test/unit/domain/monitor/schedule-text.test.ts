import { cronOfText } from "../../../../services/domain/monitor/schedule-text.ts";

/** Minute 13, hour 5, Wednesday. */
const seed = 3 * 1440 + 5 * 60 + 13;

const said: [text: string, cron: string | null][] = [
  ["every 30 minutes", "13-59/30 * * * *"],
  ["every 15 minutes starting at :07", "7-59/15 * * * *"],
  ["Every  5 MINUTES", "3-59/5 * * * *"],
  ["every minute", "* * * * *"],
  ["every 60 minutes", "13 * * * *"],
  ["every 45 minutes", null],
  ["every 0 minutes", null],
  ["hourly", "13 * * * *"],
  ["hourly at :20", "20 * * * *"],
  ["every hour", "13 * * * *"],
  ["every 2 hours", "13 1-23/2 * * *"],
  ["every 5 hours", null],
  ["every 24 hours", "13 5 * * *"],
  ["daily", "13 5 * * *"],
  ["every day", "13 5 * * *"],
  ["daily at 9:00", "0 9 * * *"],
  ["daily at 9am", "0 9 * * *"],
  ["daily at 9", "0 9 * * *"],
  ["daily at 5:30 PM", "30 17 * * *"],
  ["daily at 12am", "0 0 * * *"],
  ["daily at 12:15 pm", "15 12 * * *"],
  ["daily at noon", "0 12 * * *"],
  ["daily at 24:00", null],
  ["daily at 13pm", null],
  ["weekly", "13 5 * * 3"],
  ["weekly on friday", "13 5 * * 5"],
  ["weekly on sun at 8:05", "5 8 * * 0"],
  ["every monday at 5:30 pm", "30 17 * * 1"],
  ["mondays at 9", "0 9 * * 1"],
  ["weekdays at 9am", "0 9 * * 1-5"],
  ["every someday at 9", null],
  ["whenever you like", null],
  ["", null],
];

test.each(said)("%s", (text, cron) => {
  expect(cronOfText(text, seed)).toBe(cron);
});

test("the words leave open what a seed decides", () => {
  const minutes = new Set(Array.from({ length: 60 }, (_, n) => cronOfText("hourly", n)));
  expect(minutes.size).toBe(60);
});
