/**
 * Comments around the text of a frame in a page that was read. Captures the addresses of its document and of its scripts, or
 * a slash where it ends.
 */
export const frameMark = /<!--magpie-frame ([^<>]*)-->/g;

/** Scripts of a frame whose addresses are kept, and characters of each. */
const [mostScripts, longestAddress] = [20, 300];

/** The part of the script that reads a tree that puts these comments around what a frame shows. */
export const marking = `
  const frameAddresses = document => {
    const scripts = Array.from(select(document, "script[src]")).slice(0, ${mostScripts});
    const all = [addressOf(document), ...scripts.map(script => resolved(attribute(script, "src"), baseUri(document)))];
    return all.map(address => encodeURI(address.slice(0, ${longestAddress}).toWellFormed()).replace(/--/g, "-%2D")).join(" ");
  };
  const betweenMarks = (document, nodes) => {
    const comment = text => Document.prototype.createComment.call(inert, "magpie-frame " + text);
    return [comment(frameAddresses(document)), ...nodes, comment("/")];
  };`;
