import { MailPlaces } from "../../../mixins/mail/mail-places.ts";
import { until } from "../../support/until.ts";

const never = new AbortController().signal;

/** Exchanges that last until they are ended. */
function exchanges(places: MailPlaces) {
  const underWay: { group: string; end: () => void }[] = [];
  const all: Promise<void>[] = [];
  const begin = (group: string, times: number) => {
    for (let n = 0; n < times; n += 1)
      all.push(places.run(group, never, () => new Promise<void>(end => void underWay.push({ group, end }))));
  };
  const endAll = () => {
    for (const { end } of underWay.splice(0)) end();
  };
  const counts = () => {
    const found: Record<string, number> = {};
    for (const { group } of underWay) found[group] = (found[group] ?? 0) + 1;
    return found;
  };
  const drain = async () => {
    let isOver = false;
    const over = Promise.all(all).then(() => {
      isOver = true;
    });
    await until("all have ended", () => {
      endAll();
      return isOver;
    });
    await over;
  };
  return { begin, endAll, counts, drain };
}

const groups = ["a", "b", "c", "d", "e", "f"];

test("groups whose exchanges are slow share half of the places, and the others find one", async () => {
  const { begin, endAll, counts, drain } = exchanges(new MailPlaces(0));
  for (const group of groups) begin(group, 1);
  await until("each has shown how it is", () => Object.keys(counts()).length === groups.length);
  await drain();
  for (const group of groups) begin(group, 4);
  await until("some have places", () => Object.keys(counts()).length === 4);
  expect(counts()).toEqual({ a: 1, b: 1, c: 1, d: 1 });
  begin("new", 4);
  await until("another has its places", () => counts().new === 4);
  expect(counts()).toEqual({ a: 1, b: 1, c: 1, d: 1, new: 4 });
  endAll();
  await until("it is the turn of the others", () => Boolean(counts().e && counts().f));
  await drain();
});

test("what waited before its group was slow gives its place back", async () => {
  const { begin, endAll, counts, drain } = exchanges(new MailPlaces(0));
  begin("a", 12);
  await until("as many as a group may have", () => counts().a === 4);
  endAll();
  begin("b", 4);
  await until("another has its places", () => counts().b === 4);
  expect(counts()).toEqual({ a: 1, b: 4 });
  await drain();
});

test("groups that are not slow have their places again", async () => {
  const { begin, endAll, counts, drain } = exchanges(new MailPlaces(Number.POSITIVE_INFINITY));
  begin("a", 8);
  await until("as many as a group may have", () => counts().a === 4);
  endAll();
  await until("the rest has places", () => counts().a === 4);
  await drain();
});
