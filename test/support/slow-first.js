import Sequencer from "@jest/test-sequencer";

const folders = ["/test/cluster/", "/test/integration/browser/", "/test/integration/", "/test/docs/"];

/**
 * Files whose tests wait for processes and servers come before those that only compute: what runs last then is short,
 * and no worker is left alone with a long file. Within a folder Jest's own order holds.
 */
export default class SlowFirst extends Sequencer {
  sort(tests) {
    const rank = ({ path }) => folders.findIndex(folder => path.includes(folder)) + 1 || folders.length + 1;
    return [...super.sort(tests)].sort((a, b) => rank(a) - rank(b));
  }
}
