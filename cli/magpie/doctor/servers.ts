import type { Config } from "../../../mixins/config/config.ts";
import { type Checked, checked } from "./checked.ts";

/** Whether the servers of a cluster answer, and keep what they take. */
export async function* servers(cluster: NonNullable<Config["cluster"]>): AsyncGenerator<Checked> {
  yield await looked("NATS", async () => {
    const [{ connect }, { natsOptions }] = await Promise.all([
      import("nats"),
      import("../../../mixins/bus/nats-client.ts"),
    ]);
    const connection = await connect({ ...natsOptions(cluster.natsUrl), reconnect: false });
    const version = connection.info?.version;
    await connection.close();
    return checked("NATS", "ok", `answers, version ${version}`);
  });
  yield await looked("Redis", async () => {
    const { checkRedis } = await import("../../../mixins/cluster/check-redis.ts");
    const warnings = await checkRedis(cluster);
    if (warnings.length > 0) return checked("Redis", "warn", warnings.join(" "));
    return checked("Redis", "ok", "answers, keeps what it takes, forgets nothing, and its clock is ours");
  });
  yield await looked("MongoDB", async () => {
    const { closeMongo, openMongo } = await import("../../../mixins/cluster/mongo.ts");
    const { db } = await openMongo(cluster);
    const hello = await db.admin().command({ hello: 1 });
    const { version } = await db.admin().command({ buildInfo: 1 });
    await closeMongo(cluster);
    if (hello.setName || hello.msg === "isdbgrid")
      return checked("MongoDB", "ok", `answers, version ${version}, replicated`);
    return checked(
      "MongoDB",
      "warn",
      `version ${version} without a replica set: the cluster stops and ends with this server.`,
    );
  });
}

async function looked(check: string, look: () => Promise<Checked>): Promise<Checked> {
  try {
    return await look();
  } catch (error) {
    return checked(check, "fail", (error as Error).message);
  }
}
