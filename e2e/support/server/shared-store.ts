import { freshDatabase } from "@svc/store/testing/shared-postgres";
import { temporaryDirectory } from "../processes/temporary-directory.ts";
import type { ServerOptions } from "./server-process.ts";

/** The settings of two processes that use one store, of which the second starts after the first. */
export interface SharedStore {
  readonly before: ServerOptions;
  readonly after: ServerOptions;
}

/** One data directory, so the second process continues what the first was. */
export async function sharedDirectory(): Promise<SharedStore> {
  const options = { dataDir: await temporaryDirectory() };
  return { before: options, after: options };
}

/** One database of PostgreSQL, and a data directory for each process. */
export async function sharedPostgres(): Promise<SharedStore> {
  const env = { SVC_DATABASE_URL: await freshDatabase() };
  return {
    before: { dataDir: await temporaryDirectory(), env },
    after: { dataDir: await temporaryDirectory(), env },
  };
}
