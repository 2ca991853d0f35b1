import { rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { keyRoutes } from "@svc/api/key-routes";
import type { ControlClient } from "../connection/control-client.ts";
import { CommandFailure } from "../frame/exit-code.ts";

/** A key of a person who approves: the one that asks for a call never does. */
interface DevApprover {
  /** A file of mode 600. */
  readonly keyFile: string;
  /** The key opens nothing any more, and its file is gone, also where the data are kept. */
  revoke(): Promise<void>;
}

/** Makes the key, and writes it beside that of the run. @throws CommandFailure */
export async function makeDevApprover(client: ControlClient, apiKeyFile: string): Promise<DevApprover> {
  const body = { name: "svc-cli dev, approver", role: "approver" as const };
  const { body: issued } = await client.ask(keyRoutes.createKey, { body });
  if (issued.kind !== "issued") throw new Error("a new key was answered without its secret");
  const keyFile = join(dirname(apiKeyFile), "dev-approver-key");
  writeFileSync(keyFile, `${issued.key}\n`, { mode: 0o600, flush: true });
  const params = { key_id: issued.id };
  return {
    keyFile,
    revoke: async () => {
      try {
        await client.ask(keyRoutes.revokeKey, { params });
      } catch (fault) {
        // A server that is gone has taken temporary data along.
        if (!(fault instanceof CommandFailure)) throw fault;
      } finally {
        rmSync(keyFile, { force: true });
      }
    },
  };
}
