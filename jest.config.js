export default {
  testEnvironment: "node",
  extensionsToTreatAsEsm: [".ts"],
  transform: {},
  roots: ["<rootDir>/test"],
  testMatch: ["**/*.test.ts"],
  testTimeout: 30_000,
  reporters: ["default", "<rootDir>/test/support/count-reporter.js"],
};
