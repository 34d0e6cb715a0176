import { parser } from "@prometheus-io/lezer-promql";

/** What an expression selects: a metric, and the matchers of its labels. */
export interface Selector {
  metric: string;
  matchers: { label: string; operator: string; value: string }[];
}

type Node = ReturnType<typeof parser.parse>["topNode"];

/** The selectors of a PromQL expression. Throws where it is none. */
export function selectorsOf(expression: string): Selector[] {
  const text = withoutVariables(expression);
  const textOf = ({ from, to }: Node) => text.slice(from, to);
  const selectors: Selector[] = [];
  parser.parse(text).iterate({
    enter({ type, from, node }) {
      if (type.isError) throw new Error(`No PromQL at character ${from}: ${text}`);
      if (type.name !== "VectorSelector") return;
      const metric = node.getChild("Identifier");
      const matchers = node.getChild("LabelMatchers")?.getChildren("UnquotedLabelMatcher") ?? [];
      selectors.push({
        metric: metric ? textOf(metric) : "",
        matchers: matchers.map(each => matcherOf(each, textOf)),
      });
    },
  });
  return selectors;
}

function matcherOf(node: Node, textOf: (node: Node) => string): Selector["matchers"][number] {
  const part = (name: string) => {
    const child = node.getChild(name);
    return child ? textOf(child) : "";
  };
  return { label: part("LabelName"), operator: part("MatchOp"), value: JSON.parse(part("StringLiteral")) };
}

/** Grafana replaces its variables before it asks. */
function withoutVariables(expression: string): string {
  return expression.replaceAll("$__rate_interval", "5m").replaceAll("$namespace", ".*");
}
