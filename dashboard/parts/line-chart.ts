/*
 * A number over time, with a scale and times. Arrow keys or the pointer go from value to value; pages that show it also have
 * a table of the same numbers.
 *
 *   html`<${LineChart} label="Price" points=${[{ at: Date.parse(row.at), value: 12.5 }]} until=${Date.now()} />`
 *
 * A value holds until the next one, so the line has steps.
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { scaleOf, timeLabel, timeTicks } from "./chart-scale.ts";

export interface Point {
  /** Milliseconds since the epoch. */
  at: number;
  value: number;
}

interface LineChartProps {
  label: string;
  /** Oldest first, at least one. */
  points: Point[];
  /** Until when the last value holds. */
  until: number;
}

const [width, height] = [1000, 240];

export function LineChart({ label, points, until }: LineChartProps): VNode {
  const chosen = useSignal<number | undefined>(undefined);
  const from = points[0]?.at ?? until;
  const span = Math.max(1, until - from);
  const scale = scaleOf(points.map(({ value }) => value));
  const x = (at: number) => ((at - from) / span) * 100;
  const y = (value: number) => 100 - ((value - scale.from) / (scale.to - scale.from)) * 100;
  const shown = Math.min(chosen.value ?? points.length - 1, points.length - 1);
  const point = points[shown] as Point;
  const choose = (to: number) => {
    chosen.value = Math.min(points.length - 1, Math.max(0, to));
  };
  const move = (event: PointerEvent) => {
    const { left, width: wide } = (event.currentTarget as Element).getBoundingClientRect();
    const at = from + ((event.clientX - left) / wide) * span;
    choose(points.findLastIndex(each => each.at <= at));
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const to = { ArrowRight: shown + 1, ArrowLeft: shown - 1, Home: 0, End: points.length - 1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    choose(to);
  };
  return html`<figure class="line-chart">
    <figcaption><span>${label}</span><output class="number">${numberText(point.value)} <span class="soft">${when(point.at)}</span></output></figcaption>
    <div class="line-chart-plot">
      <div class="line-chart-scale number" aria-hidden="true">${scale.ticks.map(
        tick => html`<span key=${tick} style=${{ top: `${y(tick)}%` }}>${numberText(tick)}</span>`,
      )}</div>
      <div class="line-chart-area" tabindex="0" role="slider" aria-label="${label}, by time" aria-valuemin="1"
        aria-valuemax=${points.length} aria-valuenow=${shown + 1} aria-valuetext="${numberText(point.value)}, ${when(point.at)}"
        onPointerMove=${move} onKeyDown=${onKeyDown} onPointerLeave=${() => {
          chosen.value = undefined;
        }}>
        <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" aria-hidden="true">
          ${scale.ticks.map(tick => html`<line key=${tick} class="bars-grid" x1="0" x2=${width} y1=${(y(tick) / 100) * height} y2=${(y(tick) / 100) * height} />`)}
          <path class="rate-line" d=${stepPath(
            points,
            until,
            at => (x(at) / 100) * width,
            value => (y(value) / 100) * height,
          )} />
        </svg>
        <span class="line-chart-point" aria-hidden="true" style=${{ left: `${x(point.at)}%`, top: `${y(point.value)}%` }}></span>
      </div>
      <div class="line-chart-times" aria-hidden="true">${timeTicks(from, until).map(
        tick => html`<span key=${tick} style=${{ left: `${x(tick)}%` }}>${timeLabel(tick, span)}</span>`,
      )}</div>
    </div>
  </figure>`;
}

function stepPath(
  points: Point[],
  until: number,
  x: (at: number) => number,
  y: (value: number) => number,
): string {
  const [first, ...others] = points;
  if (!first) return "";
  const steps = others.map(({ at, value }) => `H${round(x(at))}V${round(y(value))}`);
  return `M${round(x(first.at))},${round(y(first.value))}${steps.join("")}H${round(x(until))}`;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

const numbers = new Intl.NumberFormat("en", { maximumSignificantDigits: 12 });

export function numberText(value: number): string {
  return numbers.format(value);
}

function when(at: number): string {
  return new Date(at).toLocaleString("en-GB", { dateStyle: "medium", timeStyle: "short" });
}
