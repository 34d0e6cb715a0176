/*
 * Times and numbers as people read them.
 *
 *   html`<${Time} at=${source.polled_at} />`                 "3 min ago", the exact time on hover
 *   html`<${Time} at=${source.due_at} none="not planned" />` the text for null
 *   count(12345) "12,345"; plural(1, "key") "1 key"; duration(83) "1 min 23 s"
 */
import { signal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";

const now = signal(Date.now());
let isFollowing = false;

/** All times on the page move on together. */
function followClock(): void {
  if (isFollowing) return;
  isFollowing = true;
  setInterval(() => {
    if (!document.hidden) now.value = Date.now();
  }, 5000);
}

interface TimeProps {
  at: string | number | null | undefined;
  none?: string;
}

export function Time({ at, none = "never" }: TimeProps): VNode {
  const date = at === null || at === undefined ? undefined : new Date(at);
  useEffect(followClock, []);
  if (!date || Number.isNaN(date.getTime())) return html`<span class="faint">${none}</span>`;
  return html`<time datetime=${date.toISOString()} title=${exact(date)}>${relative(date, now.value)}</time>`;
}

/** A time as it is written out: "27 Nov 2026, 17:40:12 CET". */
export function exactTime(at: string | number): string {
  return exact(new Date(at));
}

const exactFormat = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "long" });

function exact(date: Date): string {
  return exactFormat.format(date);
}

const relativeFormat = new Intl.RelativeTimeFormat("en", { style: "short", numeric: "auto" });

const units: [unit: Intl.RelativeTimeFormatUnit, seconds: number][] = [
  ["day", 86_400],
  ["hour", 3600],
  ["minute", 60],
];

/** "3 min. ago"; days only up to a month, then the date. */
export function relative(date: Date, nowMs: number): string {
  const seconds = Math.round((date.getTime() - nowMs) / 1000);
  const distance = Math.abs(seconds);
  if (distance < 5) return "now";
  if (distance > 30 * 86_400)
    return date.toLocaleDateString("en", { day: "numeric", month: "short", year: "numeric" });
  for (const [unit, size] of units)
    if (distance >= size) return relativeFormat.format(Math.round(seconds / size), unit);
  return relativeFormat.format(seconds, "second");
}

const numbers = new Intl.NumberFormat("en");

export function count(value: number): string {
  return numbers.format(value);
}

export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** Seconds as at most two units: `41 s`, `1 min 23 s`, `2 h 5 min`. */
export function duration(seconds: number): string {
  const whole = Math.round(seconds);
  if (seconds < 1) return `${Math.round(seconds * 1000)} ms`;
  if (whole < 60) return `${whole} s`;
  const [big, small, rest] =
    whole < 3600 ? ["min", "s", whole % 60] : ["h", "min", Math.floor((whole % 3600) / 60)];
  const amount = Math.floor(whole / (whole < 3600 ? 60 : 3600));
  return rest ? `${amount} ${big} ${rest} ${small}` : `${amount} ${big}`;
}
