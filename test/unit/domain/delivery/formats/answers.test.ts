import {
  isInVain,
  pauseAskedMs,
  type Received,
} from "../../../../../services/domain/delivery/formats/answers.ts";
import type { Format } from "../../../../../services/domain/delivery/formats/formats.ts";

const limited = (received: Partial<Received>): Received => ({ status: 429, text: "", ...received });

test.each<[Format, Partial<Received>, number]>([
  ["discord", { text: '{"message": "Slow down", "retry_after": 0.529, "global": false}' }, 529],
  ["discord", { text: '{"retry_after":2}', retryAfter: "3" }, 2_000],
  ["discord", { text: '{"retry_after":1500}', resetAfter: "1.5", retryAfter: "2" }, 1_500],
  ["discord", { text: '{"retry_after":86400}' }, 3_600_000],
  ["discord", { text: '{"retry_after":"soon"}', retryAfter: "7" }, 7_000],
  ["discord", { resetAfter: "now", retryAfter: "7" }, 7_000],
  ["discord", { text: '{"retry_after":2}', status: 500 }, 0],
  ["slack", { text: '{"retry_after":2}', retryAfter: "30" }, 30_000],
  ["standard", { text: '{"retry_after":2}', resetAfter: "9" }, 0],
])("%s asks by %j for %d ms", (format, received, ms) => {
  expect(pauseAskedMs(format, limited(received), 0)).toBe(ms);
});

test("a 204 is a success, but of an Apprise API", () => {
  expect(
    (["apprise", "standard", "discord"] as const).map(format => isInVain(format, { status: 204, text: "" })),
  ).toEqual([true, false, false]);
  expect(isInVain("apprise", { status: 200, text: "" })).toBe(false);
});

test.each([
  ["telegram", '{"ok":false,"description":"chat not found"}', true],
  ["telegram", '{"ok":true}', false],
  ["pushover", '{"status":0,"errors":["user is invalid"]}', true],
  ["pushover", '{"status":1}', false],
  ["standard", '{"ok":false}', false],
] as const)("%s with %s notifies nobody: %s", (format, text, isVain) => {
  expect(isInVain(format, { status: 200, text })).toBe(isVain);
});

test("Telegram says in the body how long to wait", () => {
  const text = '{"ok":false,"error_code":429,"parameters":{"retry_after":7}}';
  expect(pauseAskedMs("telegram", { status: 429, text }, 0)).toBe(7_000);
});
