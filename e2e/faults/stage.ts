import { type DatabaseLink, startDatabaseLink } from "@svc/store/testing/database-link";
import { type PostgresServer, startPostgresServer } from "@svc/store/testing/postgres-server";
import { createPolicy } from "../support/server/api.ts";
import { startDroppingLink } from "./dropping-link.ts";
import { FaultyGateway } from "./faulty-gateway.ts";

export const GATEWAY_IDS: readonly string[] = ["gw-1", "gw-2", "gw-3"];

/** No switch ever stops it. */
export const STEADY_AGENT = "steady";

/** Each has switches activated and deactivated all the time. */
export const KILLED_AGENTS: readonly string[] = [
  "agent-1",
  "agent-2",
  "agent-3",
  "agent-4",
  "agent-5",
  "agent-6",
];

/** Three gateways on one PostgreSQL, each with its own link to it. */
export interface Stage {
  readonly postgres: PostgresServer;
  readonly databaseUrl: string;
  readonly gateways: readonly FaultyGateway[];
  close(): Promise<void>;
}

/** What a frozen link does: hold the bytes that it gets, or let the kernel drop their packets. */
export type Freezing = "held bytes" | "dropped packets";

export async function setStage(freezing: Freezing): Promise<Stage> {
  const postgres = await startPostgresServer();
  const links: DatabaseLink[] = [];
  const gateways: FaultyGateway[] = [];
  const close = async (): Promise<void> => {
    for (const gateway of gateways) await gateway.stop();
    for (const link of links) await link.close();
    await postgres.stop();
  };
  try {
    const databaseUrl = await postgres.createDatabase();
    for (const [at, id] of GATEWAY_IDS.entries()) {
      const drops = freezing === "dropped packets";
      const link = await (drops ? startDroppingLink(databaseUrl, at + 1) : startDatabaseLink(databaseUrl));
      links.push(link);
      gateways.push(await FaultyGateway.start(id, link));
    }
    for (const agent of [STEADY_AGENT, ...KILLED_AGENTS]) {
      const policy = `id: of-${agent}\nagent_id: ${agent}\ntools: { allowed: ['payments.*'] }\n`;
      const { status } = await createPolicy(gateways[0]?.url ?? "", policy);
      if (status !== 201) throw new Error(`expected a policy to be created, found status ${String(status)}`);
    }
    return { postgres, databaseUrl, gateways, close };
  } catch (error) {
    await close();
    throw error;
  }
}
