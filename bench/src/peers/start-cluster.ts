import { setTimeout as delay } from "node:timers/promises";
import { startPostgresServer } from "@svc/store/testing/postgres-server";
import type { RunningChild } from "../child-process.ts";
import type { Bench } from "../scenario.ts";
import { startProduct } from "./start-product.ts";

/** Connections of the database server: a gateway opens up to 12. */
const MAX_CONNECTIONS = 400;

const READY_LIMIT_MS = 60_000;
const POLL_MS = 50;

/** A control plane and a growing number of gateways, a process each, on one PostgreSQL of this machine. */
export interface BenchCluster {
  readonly databaseUrl: string;
  readonly controlUrl: string;
  readonly gateways: readonly RunningChild[];
  /** Starts gateways until there are so many, and waits until the control plane counts on all of them. */
  grow(size: number): Promise<void>;
  stop(): Promise<void>;
}

export async function startCluster(bench: Bench): Promise<BenchCluster> {
  const server = await startPostgresServer({ settings: [`max_connections = ${MAX_CONNECTIONS}`] });
  bench.cleanup.defer(() => server.stop());
  const databaseUrl = await server.createDatabase();
  const start = (name: string, role: "control" | "gateway"): Promise<RunningChild> =>
    startProduct(bench, { SVC_DATABASE_URL: databaseUrl, SVC_GATEWAY_ID: name, SVC_ROLE: role });
  const control = await start("control", "control");
  const gateways: RunningChild[] = [];
  const grow = async (size: number): Promise<void> => {
    while (gateways.length < size) gateways.push(await start(`gateway-${gateways.length}`, "gateway"));
    await untilCountedOn(control.ready, size);
  };
  const stop = async (): Promise<void> => {
    await Promise.all([control, ...gateways].map((each) => each.stop()));
    await server.stop();
  };
  return { databaseUrl, controlUrl: control.ready, gateways, grow, stop };
}

async function untilCountedOn(controlUrl: string, size: number): Promise<void> {
  const deadlineMs = performance.now() + READY_LIMIT_MS;
  for (;;) {
    const answer = await fetch(`${controlUrl}/api/v1/gateways`);
    const { gateways } = (await answer.json()) as { readonly gateways: readonly ListedGateway[] };
    const current = gateways.filter(({ role, lag }) => role === "gateway" && lag === 0);
    if (current.length === size) return;
    if (performance.now() > deadlineMs)
      throw new Error(`expected ${size} gateways, found ${JSON.stringify(gateways)}`);
    await delay(POLL_MS);
  }
}

interface ListedGateway {
  readonly role: string;
  readonly lag: number;
}
