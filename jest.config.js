export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testTimeout: 90_000,
  // Most of the time goes by in processes and servers that tests wait for.
  maxWorkers: 3,
  reporters: ["default", "<rootDir>/test/support/count-reporter.js"],
};
