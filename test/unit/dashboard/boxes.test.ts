import { placesOf, targetsOf } from "../../../dashboard/watch/boxes.ts";

const box = (selector: string, x: number, y: number, width: number, height: number) => ({
  ...{ selector, x, y, width, height },
});
const part = (selector: string) => ({ tag: "p", text: selector, selector, within: [] });
const picture = {
  ...{ key: "k", width: 1000, height: 500 },
  boxes: [
    box("p", 100, 50, 500, 100),
    box(".price", 120, 60, 50, 20),
    box("p", 0, 400, 10, 10),
    box("#far", 0, 900, 5, 5),
  ],
};

test("a selector has a place for each element that it matches", () => {
  expect(placesOf(picture, "p")).toEqual([
    { left: "10%", top: "10%", width: "50%", height: "20%" },
    { left: "0%", top: "80%", width: "1%", height: "2%" },
  ]);
  expect(placesOf(picture, ".none")).toEqual([]);
});

test("parts that are on the picture can be pointed at, the smaller over the larger", () => {
  const targets = targetsOf(picture, ["p", ".price", ".none", "#far"].map(part));
  expect(targets.map(({ part: { selector }, rank }) => [selector, rank])).toEqual([
    ["p", 0],
    [".price", 1],
  ]);
});
