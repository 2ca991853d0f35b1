import type { PostgresDatabases } from "@svc/store/testing/postgres-server";
import { expect } from "vitest";
import { send } from "./api.ts";
import { type Callers, makeKeys } from "./role-keys.ts";
import { type ServerProcess, serverOfTest } from "./server-process.ts";

type Role = "all" | "gateway" | "control";

/** Several real processes on one database of a real PostgreSQL. */
export interface Cluster {
  readonly databaseUrl: string;
  /** Starts one more, which ends with the test. Its gateway id is its name. */
  start(name: string, role?: Role, options?: StartOptions): Promise<ServerProcess>;
}

interface StartOptions {
  /** Another way to the same database. */
  readonly databaseUrl?: string;
  readonly dataDir?: string;
  /** The binary of another build. */
  readonly entry?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly callers?: Callers;
}

export async function clusterOfTest(postgres: PostgresDatabases): Promise<Cluster> {
  const databaseUrl = await postgres.createDatabase();
  return {
    databaseUrl,
    start: async (name, role = "all", { databaseUrl: way = databaseUrl, env = {}, ...rest } = {}) => {
      const server = await serverOfTest({
        ...rest,
        env: { SVC_DATABASE_URL: way, SVC_GATEWAY_ID: name, SVC_ROLE: role, ...env },
      });
      // Before a test takes the database away.
      if (role !== "gateway" && rest.entry === undefined) await makeKeys(server.url);
      return server;
    },
  };
}

/** What the lists of gateways say about one. */
export interface ListedGateway {
  readonly id: string;
  readonly role: string;
  readonly host: string;
  readonly version: string;
  readonly applied_revision: number;
  readonly lag: number;
  readonly lease_ends_at: string | null;
  readonly last_seen_at: string;
  readonly decisions_per_second: number;
}

export async function listGateways(url: string): Promise<readonly ListedGateway[]> {
  const { status, body } = await send("GET", `${url}/api/v1/gateways`);
  expect(status).toBe(200);
  return body["gateways"] as readonly ListedGateway[];
}

/** A gateway in the answer to a change. */
export interface Acknowledged {
  readonly id: string;
  readonly acknowledged_ms: number | null;
  readonly lease_ends_at?: string;
}

export function acknowledgedBy(body: Readonly<Record<string, unknown>>): readonly Acknowledged[] {
  return body["gateways"] as readonly Acknowledged[];
}
