/** The last line of a test run, for machines: how many tests passed and failed. Jest's own summary always comes last. */
export default class CountReporter {
  onRunComplete(_contexts, { numPassedTests, numFailedTests, numRuntimeErrorTestSuites }) {
    const failed = numFailedTests + numRuntimeErrorTestSuites;
    process.once("exit", () => console.log(`${numPassedTests} passed, ${failed} failed`));
  }
}
