import { Agent, request } from "undici";
import { startProgram } from "./program.ts";
import { channels, type StreamServer } from "./stream-load.ts";

/** Magpie in a process of its own, with a key for each channel. */
export async function startStreamMagpie(
  flags: string[] = [],
): Promise<StreamServer & { stop(): Promise<void> }> {
  const program = await startProgram(flags);
  const agent = new Agent();
  const keys: string[] = [];
  for (let channel = 0; channel < channels; channel += 1) {
    const visitor = await program.another(`stream-${channel}`);
    await visitor.ask("POST", "/track/microblog", { sid: tagOf(channel) });
    await visitor.leave();
    keys.push(visitor.key);
  }
  const url = `${program.address.replace("http", "ws")}/stream`;
  const headers = { "x-admin-key": program.adminKey, "content-type": "application/json" };
  let posts = 0;
  return {
    pids: [program.pid],
    socketsOf: channel => ({ url, headers: { "x-api-key": keys[channel] ?? "" } }),
    publish: async (channel, text) => {
      posts += 1;
      const body = JSON.stringify({ post: postOf(channel, String(posts), text) });
      const options = { method: "POST", dispatcher: agent, headers, body } as const;
      const answer = await request(`${program.address}/internal/dispatch`, options);
      const said = await answer.body.text();
      if (answer.statusCode !== 200) throw new Error(`HTTP ${answer.statusCode} ${said}`);
    },
    stop: async () => {
      await agent.destroy();
      await program.stop();
    },
  };
}

/** A hashtag of the simulated network that only one key tracks: posts that are dispatched to it reach that key. */
function tagOf(channel: number): string {
  return `#channel${channel}`;
}

function postOf(channel: number, id: string, text: string) {
  return {
    rest_id: id,
    core: { user_results: { result: { rest_id: tagOf(channel), name: "Bench", username: "bench" } } },
    legacy: {
      full_text: text,
      created_at: null,
      favorite_count: null,
      repost_count: null,
      reply_count: null,
    },
  };
}
