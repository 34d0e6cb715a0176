import { jest } from "@jest/globals";

// What waits for processes, servers and browsers may be late on a busy machine (docs/decisions/0111): it gets a second
// try, which `count-reporter.js` names. What only computes does not.
if (/\/test\/(cluster|docs|integration)\//.test(expect.getState().testPath ?? ""))
  jest.retryTimes(1, { logErrorsBeforeRetry: true, retryImmediately: true });
