/* The time until something, as it passes. A screen reader reads when it is, and not each second. */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { useEffect } from "preact/hooks";
import { html } from "../html.ts";
import { duration, exactTime } from "../parts/time.ts";

export function Countdown({ to }: { to: string }): VNode {
  const left = useSignal(secondsUntil(to));
  useEffect(() => {
    left.value = secondsUntil(to);
    const timer = setInterval(() => {
      if (!document.hidden) left.value = secondsUntil(to);
    }, 1000);
    return () => clearInterval(timer);
  }, [to]);
  const text = left.value <= 0 ? "now" : `in ${duration(left.value)}`;
  return html`<time datetime=${to} title=${exactTime(to)} class="number"><span aria-hidden="true">${text}</span><span class="unseen">${exactTime(to)}</span></time>`;
}

function secondsUntil(time: string): number {
  return Math.round((Date.parse(time) - Date.now()) / 1000);
}
