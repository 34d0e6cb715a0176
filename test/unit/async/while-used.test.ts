import { jest } from "@jest/globals";
import { whileUsed } from "../../../mixins/async/remembered.ts";

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test("a value is made at the first use, kept while it is used, and made again after that", () => {
  const make = jest.fn(() => ({}));
  const onReleased = jest.fn();
  const value = whileUsed(1000, make, onReleased);
  expect(make).not.toHaveBeenCalled();
  const first = value();
  jest.advanceTimersByTime(900);
  expect(value()).toBe(first);
  jest.advanceTimersByTime(900);
  expect(value()).toBe(first);
  expect(onReleased).not.toHaveBeenCalled();
  jest.advanceTimersByTime(1000);
  expect(onReleased).toHaveBeenCalledTimes(1);
  expect(value()).not.toBe(first);
  expect(make).toHaveBeenCalledTimes(2);
});

test("without an end it is kept", () => {
  const value = whileUsed(Infinity, () => ({}));
  const first = value();
  jest.advanceTimersByTime(1e9);
  expect(value()).toBe(first);
});
