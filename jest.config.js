// Tests start some hundred programs: each finds compiled what another one has loaded before.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/magpie/compiled`;

/** What `npm test` runs: all but several nodes over servers, and what takes minutes. */
const daily = ["unit", "architecture", "faults", "k8s", "docs", "integration"];
// A test file that is named runs whatever its part is.
const isAsked = process.argv.slice(2).some(word => word.includes("/") || word.endsWith(".ts"));
/** Folders below `test`, and `kills`. */
const parts = process.env.TEST_PARTS?.split(",") ?? (isAsked ? ["**", "kills"] : daily);
// Processes that die at each of their steps, and attacks: the longest, in which little changes from day to day.
const kills = ["*-kill", "*-deaths", "*-oracle", "hostile", "endless-parts", "field-limits"].map(
  name => `**/test/{integration,cluster}/**/${name}.test.ts`,
);
// The reader has its unit tests beside it.
const ofReader = parts.some(part => part === "unit" || part === "**")
  ? ["<rootDir>/reader/test/**/*.test.ts"]
  : [];

// Programs of others, by `TEST_PARTS=peers npm test`.
const ofPeers = parts.includes("peers") ? ["<rootDir>/test/peers/**/*.peer.ts"] : [];

export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  // A change of the product, too, tells `npm run test:unit -- --watch` which tests to run.
  roots: ["<rootDir>/test", "<rootDir>/services", "<rootDir>/mixins", "<rootDir>/reader", "<rootDir>/cli"],
  testMatch: [
    ...parts.filter(part => part !== "kills").map(part => `<rootDir>/test/${part}/**/*.test.ts`),
    ...kills.map(name => (parts.includes("kills") ? name : `!${name}`)),
    ...ofReader,
    ...ofPeers,
  ],
  testTimeout: 400_000,
  // Most of the time goes by in processes and servers that tests wait for.
  maxWorkers: 5,
  setupFilesAfterEnv: ["<rootDir>/test/support/second-try.js"],
  testSequencer: "<rootDir>/test/support/slow-first.js",
  reporters: ["default", "<rootDir>/test/support/count-reporter.js"],
};
