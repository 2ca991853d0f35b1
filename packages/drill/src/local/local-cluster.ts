import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ShutdownStack } from "@svc/process/shutdown-stack";
import type { GatewayApi } from "../api/gateway-api.ts";
import { DrillFault } from "../drill-fault.ts";
import { makeDrillDatabase } from "./drill-database.ts";
import { DrillGateway } from "./drill-gateway.ts";
import { openLink } from "./link.ts";

/** The kernel refuses a socket whose path is longer than about 100 bytes, so the folder's is short. */
const PARENT = "/tmp";

/** The agents that the drill calls as. The first is the one that it stops. */
export const DRILL_AGENT = "drill-agent";
export const BYSTANDER = "drill-bystander";

export interface ClusterOptions {
  readonly gateways: number;
  /** The file of svc-server. */
  readonly program: string;
  /** A server on which the drill makes a database; null: the drill starts PostgreSQL. */
  readonly databaseUrl: string | null;
}

/** A cluster of real processes that nothing but the drill uses. */
export interface LocalCluster {
  readonly gateways: readonly DrillGateway[];
  readonly database: string;
  /** Ends every process and removes every file and database. */
  close(): Promise<void>;
}

/** Starts a cluster in which both agents may call every tool. @throws DrillFault; nothing is left then */
export async function startLocalCluster(
  options: ClusterOptions,
  { signal, onProgress }: { readonly signal: AbortSignal; readonly onProgress: (text: string) => void },
): Promise<LocalCluster> {
  const folder = makeFolder();
  // PostgreSQL runs as another user when this is root, and has to get to its own folder.
  chmodSync(folder, 0o711);
  const parts = new ShutdownStack();
  parts.add({ close: async () => rmSync(folder, { recursive: true, force: true }) });
  try {
    onProgress("starting PostgreSQL");
    const database = await makeDrillDatabase({ folder, serverUrl: options.databaseUrl }, signal);
    parts.add({ close: () => database.remove() });
    const gateways: DrillGateway[] = [];
    for (let number = 1; number <= options.gateways; number += 1) {
      onProgress(`starting gateway ${String(number)} of ${String(options.gateways)}`);
      const link = await openLink(database.target);
      parts.add(link);
      const databaseUrl = database.urlAt(link.port);
      const id = `drill-${String(number)}`;
      const gateway = new DrillGateway({ id, folder, program: options.program, databaseUrl, link });
      await gateway.start(signal);
      parts.add({ close: () => gateway.kill() });
      gateways.push(gateway);
    }
    for (const agent of [DRILL_AGENT, BYSTANDER]) await allowEverything(firstOf(gateways).api, agent);
    return { gateways, database: database.description, close: () => parts.close() };
  } catch (error) {
    await parts.close();
    throw error;
  }
}

function makeFolder(): string {
  try {
    return mkdtempSync(join(PARENT, "svc-drill-"));
  } catch (error) {
    throw new DrillFault("usage", `expected that ${PARENT} can be written to: ${String(error)}`);
  }
}

function firstOf(gateways: readonly DrillGateway[]): DrillGateway {
  const [first] = gateways;
  if (first === undefined) throw new DrillFault("usage", "expected at least one gateway, found none");
  return first;
}

async function allowEverything(api: GatewayApi, agent: string): Promise<void> {
  await api.request("POST", "/api/v1/policies", {
    id: agent,
    agent_id: agent,
    tools: { allowed: ["*"] },
  });
}
