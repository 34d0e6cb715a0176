/* Places on a picture of a page, in parts of its size. */
import type { OutlinePart, Preview } from "../../services/contracts/preview.contract.ts";

export type Picture = NonNullable<Preview["picture"]>;

export interface Place {
  left: string;
  top: string;
  width: string;
  height: string;
}

/** Where everything is that a selector matches. */
export function placesOf({ boxes, ...size }: Picture, selector: string): Place[] {
  return boxes.filter(box => box.selector === selector).map(box => placeOf(box, size));
}

function placeOf(box: Picture["boxes"][number], { width, height }: { width: number; height: number }): Place {
  const percent = (value: number, of: number) => `${Math.round((value / of) * 100_000) / 1000}%`;
  return {
    left: percent(box.x, width),
    top: percent(box.y, height),
    width: percent(box.width, width),
    height: percent(box.height, height),
  };
}

/** A part that can be pointed at; of two that lie over one another the smaller one has the higher `rank`. */
export interface Target {
  part: OutlinePart;
  place: Place;
  rank: number;
}

/** The parts that are on the picture, in the order of the page. */
export function targetsOf(picture: Picture, outline: readonly OutlinePart[]): Target[] {
  const first = new Map<string, Picture["boxes"][number]>();
  for (const box of picture.boxes) if (!first.has(box.selector)) first.set(box.selector, box);
  const shown = outline.flatMap(part => {
    const box = first.get(part.selector);
    const isOn = box && box.x < picture.width && box.y < picture.height;
    return isOn ? [{ part, box, area: box.width * box.height }] : [];
  });
  const bySize = [...shown].sort((a, b) => b.area - a.area);
  const rank = new Map(bySize.map(({ part }, at) => [part, at]));
  return shown.map(({ part, box }) => ({ part, place: placeOf(box, picture), rank: rank.get(part) ?? 0 }));
}
