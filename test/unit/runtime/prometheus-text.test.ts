import { prometheusText } from "../../../mixins/runtime/prometheus-text.ts";

test("Prometheus text escapes labels, writes histograms, and leaves out metrics without samples", () => {
  const text = prometheusText([
    {
      name: "a_b",
      type: "counter",
      description: "A\nB",
      snapshot: () => [{ labels: { x: 'q"\\\n' }, value: 2 }],
    },
    {
      name: "h",
      type: "histogram",
      description: "H",
      snapshot: () => [
        {
          labels: {},
          count: 3,
          sum: 4.5,
          buckets: [
            [1, 1],
            [5, 3],
          ],
        },
      ],
    },
    { name: "empty", type: "gauge", description: "E", snapshot: () => [] },
  ]);
  expect(text.split("\n")).toEqual([
    "# HELP a_b A\\nB",
    "# TYPE a_b counter",
    'a_b{x="q\\"\\\\\\n"} 2',
    "# HELP h H",
    "# TYPE h histogram",
    'h_bucket{le="1"} 1',
    'h_bucket{le="5"} 3',
    'h_bucket{le="+Inf"} 3',
    "h_sum 4.5",
    "h_count 3",
    "",
  ]);
});
