import { connect } from "node:net";

/** Sends bytes as they are over a socket of its own, and gives all that comes back until the server closes it. */
export function rawHttp(url: string, text: string): Promise<string> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const socket = connect(Number(port), hostname, () => socket.write(text));
    let answer = "";
    socket.setEncoding("utf8");
    socket.setTimeout(15_000, () => socket.destroy(new Error(`no end of the answer: ${answer}`)));
    socket.on("data", chunk => {
      answer += chunk;
    });
    socket.on("error", reject);
    socket.on("close", () => resolve(answer));
  });
}
