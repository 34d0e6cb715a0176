/** A message of a stream of server-sent events. */
export interface Frame {
  /** The last `id` that the stream had; empty when it had none. */
  id: string;
  /** `message` where the stream names no type. */
  type: string;
  data: string;
}

/** Reads text as it arrives, in pieces of any size, and answers the messages that are complete (WHATWG HTML, 9.2.6). */
export function frameReader(): (text: string) => Frame[] {
  let rest = "";
  let [id, type] = ["", ""];
  let data: string[] = [];

  function read(line: string): Frame | undefined {
    if (line === "") return dispatch();
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (name === "data") data.push(value);
    else if (name === "event") type = value;
    else if (name === "id" && !value.includes("\0")) id = value;
    return undefined;
  }

  function dispatch(): Frame | undefined {
    const frame = data.length === 0 ? undefined : { id, type: type || "message", data: data.join("\n") };
    [type, data] = ["", []];
    return frame;
  }

  return text => {
    rest += text;
    // A carriage return at the end may be half of a line's end.
    const lines = rest.split(/\r\n|\n|\r(?!$)/);
    rest = lines.pop() ?? "";
    return lines.map(read).filter(frame => frame !== undefined);
  };
}
