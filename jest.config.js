// Tests start some hundred programs: each finds compiled what another one has loaded before.
process.env.NODE_COMPILE_CACHE ??= `${import.meta.dirname}/node_modules/.cache/magpie/compiled`;

// The folders below `test`; all when none is named. As arguments of Jest they would add to the paths that one asks for.
const parts = process.env.TEST_PARTS?.split(",") ?? ["**"];
// The reader has its unit tests beside it.
const ofReader = parts.some(part => part === "unit" || part === "**")
  ? ["<rootDir>/reader/test/**/*.test.ts"]
  : [];

export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  // A change of the product, too, tells `npm run test:watch` which tests to run.
  roots: ["<rootDir>/test", "<rootDir>/services", "<rootDir>/mixins", "<rootDir>/reader", "<rootDir>/cli"],
  testMatch: [...parts.map(part => `<rootDir>/test/${part}/**/*.test.ts`), ...ofReader],
  testTimeout: 400_000,
  // Most of the time goes by in processes and servers that tests wait for.
  maxWorkers: 4,
  setupFilesAfterEnv: ["<rootDir>/test/support/second-try.js"],
  testSequencer: "<rootDir>/test/support/slow-first.js",
  reporters: ["default", "<rootDir>/test/support/count-reporter.js"],
};
