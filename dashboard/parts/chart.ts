/*
 * Charts as SVG. Each has a description in words.
 *
 *   html`<${Rate} title="Requests" values=${series.requests} from=${rates.from} stepS=${60} href=${link("/usage")} />`
 *   html`<${Bars} label="Requests per day" columns=${days} series=${[{ name: "production", values }]} />`
 */
import { useSignal } from "@preact/signals";
import type { VNode } from "preact";
import { html } from "../html.ts";
import { ceilingOf, describeRate, linePath, type Series, stack, sum } from "./chart-shapes.ts";
import { count } from "./time.ts";

interface RateProps {
  title: string;
  /** A number for each step, oldest first. */
  values: number[];
  /** When the first step began. */
  from: string;
  stepS: number;
  /** Whether each of what is counted is a failure. */
  isBad?: boolean;
}

const width = 240;
const height = 48;

/** Shows the sum of the values, and a line of how they changed. */
export function Rate({ title, values, from, stepS, isBad = false }: RateProps): VNode {
  const at = useSignal<number | undefined>(undefined);
  const point = at.value === undefined ? undefined : values[at.value];
  const startMs = new Date(from).getTime();
  const timeOf = (step: number) =>
    new Date(startMs + step * stepS * 1000).toLocaleTimeString(undefined, {
      hour: "2-digit",
      minute: "2-digit",
    });
  const move = (event: PointerEvent) => {
    const { left, width: shown } = (event.currentTarget as Element).getBoundingClientRect();
    at.value = Math.min(
      values.length - 1,
      Math.max(0, Math.floor(((event.clientX - left) / shown) * values.length)),
    );
  };
  const leave = () => {
    at.value = undefined;
  };
  const line = linePath(values, width, height);
  return html`<figure class="rate ${sum(values) === 0 ? "is-idle" : isBad ? "is-bad" : ""}">
    <figcaption><span class="rate-title">${title}</span>
      <span class="rate-figure number">${count(point ?? sum(values))}</span>
      <span class="rate-note">${point === undefined ? "in the last hour" : `in the minute of ${timeOf(at.value ?? 0)}`}</span>
    </figcaption>
    <svg viewBox="0 0 ${width} ${height}" preserveAspectRatio="none" role="img" aria-label=${describeRate(title, values, timeOf)}
      onPointerMove=${move} onPointerLeave=${leave}>
      <path class="rate-area" d="${line}L${width},${height}L0,${height}Z" />
      <path class="rate-line" d=${line} />
      ${at.value !== undefined && html`<line class="rate-cursor" x1=${xOf(at.value, values)} x2=${xOf(at.value, values)} y1="0" y2=${height} />`}
    </svg>
    <div class="rate-ends faint number" aria-hidden="true"><span>${timeOf(0)}</span><span>at most ${count(Math.max(0, ...values))} a minute</span><span>${timeOf(values.length)}</span></div>
  </figure>`;
}

function xOf(step: number, values: number[]): number {
  return values.length > 1 ? (step / (values.length - 1)) * width : 0;
}

interface BarsProps {
  label: string;
  /** The name of each column. */
  columns: string[];
  series: Series[];
}

const barsHeight = 200;

/** Stacked bars. Pages that show them also have a table of the same numbers. */
export function Bars({ label, columns, series }: BarsProps): VNode {
  const bars = stack(series, columns.length);
  const ceiling = ceilingOf(Math.max(0, ...bars.map(bar => bar.total)));
  const at = useSignal<number | undefined>(undefined);
  const shown = at.value ?? columns.length - 1;
  return html`<figure class="bars" onPointerLeave=${() => {
    at.value = undefined;
  }}>
    <figcaption><span>${label}</span><span class="number">${columns[shown]}: ${count(bars[shown]?.total ?? 0)}</span></figcaption>
    <div class="bars-plot">
      <div class="bars-scale number" aria-hidden="true">${[ceiling, ceiling / 2, 0].map(value => html`<span key=${value}>${count(value)}</span>`)}</div>
      <svg viewBox="0 0 ${columns.length * 10} ${barsHeight}" preserveAspectRatio="none" role="img"
        aria-label="${label}. The table below has the numbers.">
        ${[0, 0.5].map(part => html`<line key=${part} class="bars-grid" x1="0" x2=${columns.length * 10} y1=${part * barsHeight} y2=${part * barsHeight} />`)}
        <line class="bars-grid is-base" x1="0" x2=${columns.length * 10} y1=${barsHeight} y2=${barsHeight} />
        ${bars.map(
          ({ parts }, column) => html`<g key=${column} onPointerEnter=${() => {
            at.value = column;
          }}>
            <rect x=${column * 10} y="0" width="10" height=${barsHeight} fill="transparent" />
            ${parts.map(
              ({
                from,
                to,
                series: index,
              }) => html`<rect key=${index} class="series-${index + 1}" x=${column * 10 + 1.5} width="7"
                y=${barsHeight - (to / ceiling) * barsHeight} height=${((to - from) / ceiling) * barsHeight} />`,
            )}
          </g>`,
        )}
      </svg>
      <div class="bars-ends faint" aria-hidden="true"><span>${columns[0]}</span><span>${columns.at(-1)}</span></div>
    </div>
  </figure>`;
}
