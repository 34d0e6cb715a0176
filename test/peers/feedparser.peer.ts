import { readFeed } from "../../services/domain/feed/parse-feed.ts";
import { counterpartOf } from "./feedparser/counterparts.ts";
import { decided } from "./feedparser/decided.ts";
import { emptyExclusionOf, exclusionOf } from "./feedparser/excluded.ts";
import { claimsOf } from "./feedparser/python-expression.ts";
import { type Case, feedparserCases } from "./feedparser/suite.ts";

/*
 * What feedparser's tests expect of feeds, asked of Magpie's reader. An expectation counts if all of its claims have a
 * counterpart in what Magpie keeps of a feed. The sanitiser's folder is left out: which attributes are kept is a policy.
 */

interface Outcome {
  name: string;
  expression: string;
  /** Why it does not count. */
  excluded?: string;
  /** What was found where it differs. */
  found?: string;
}

let outcomes: Outcome[];
beforeAll(async () => {
  const cases = await feedparserCases();
  outcomes = cases.filter(({ name }) => !name.startsWith("wellformed/sanitize/")).map(outcomeOf);
}, 600_000);

function outcomeOf({ name, body, contentType, url, expression }: Case): Outcome {
  const claims = claimsOf(expression);
  if (!claims?.length) return { name, expression, excluded: emptyExclusionOf(expression) };
  const read = readFeed(body, contentType, url);
  const feed = read.ok ? read.feed : { hubs: [], skipHours: [], skipDays: [], items: [] };
  const pairs = claims.map(claim => ({ claim, counterpart: counterpartOf(claim, { feed, url }) }));
  const without = pairs.find(({ counterpart }) => counterpart === undefined);
  if (without) return { name, expression, excluded: exclusionOf(without.claim) };
  if (!read.ok) return { name, expression, found: read.reason };
  const wrong = pairs.find(({ claim, counterpart }) => !counterpart?.agrees(claim.expected));
  return { name, expression, ...(wrong && { found: String(wrong.counterpart?.found) }) };
}

const differs = ({ found }: Outcome) => found !== undefined;
const counts = ({ excluded }: Outcome) => excluded === undefined;
const ratioOf = (counted: Outcome[]) => 1 - counted.filter(differs).length / counted.length;

function summary(counted: Outcome[]): string {
  const met = counted.length - counted.filter(differs).length;
  return `${met} of ${counted.length}, ${(100 * ratioOf(counted)).toFixed(1)} %`;
}

test("Magpie reads feeds as feedparser's tests expect", () => {
  const counted = outcomes.filter(counts);
  const undecided = counted.filter(({ name }) => !decided.has(name));
  const reasons = Map.groupBy(
    outcomes.filter(({ excluded }) => excluded !== undefined),
    ({ excluded }) => excluded,
  );
  const report = [
    `Expectations: ${outcomes.length}; not counted: ${outcomes.length - counted.length}`,
    ...[...reasons]
      .sort(([, a], [, b]) => b.length - a.length)
      .map(([reason, { length }]) => `  ${length}: ${reason}`),
    `As expected: ${summary(undecided)}; with what differs by decision: ${summary(counted)}`,
    ...undecided
      .filter(differs)
      .map(({ name, expression, found }) => `  ${name}: ${expression}\n    ${found}`),
  ];
  process.stderr.write(`${report.join("\n")}\n`);
  expect(undecided.length).toBeGreaterThan(400);
  expect(ratioOf(undecided)).toBeGreaterThanOrEqual(0.975);
});

test("what is said to differ by decision does differ", () => {
  const byDecision = outcomes.filter(({ name }) => decided.has(name));
  expect(byDecision.filter(outcome => !differs(outcome))).toEqual([]);
  expect(byDecision).toHaveLength(decided.size);
});
