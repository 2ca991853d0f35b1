import { keyRoutes } from "@svc/api/key-routes";
import { confirmProtected } from "../connection/confirm-protected.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { issueKey } from "./issue-key.ts";

export interface RotateOptions extends ServerOptions, OutputOptions {
  readonly out?: string;
  /** Seconds. */
  readonly overlap?: number;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Gives a key a new secret. @throws CommandFailure */
export async function rotateKey(id: string, options: RotateOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `give key ${id} a new secret`, options, terminal);
  const client = new ControlClient(connection);
  const params = { key_id: id };
  if (options.dryRun) {
    const { body: key } = await client.ask(keyRoutes.getKey, { params });
    output.result({
      text: `dry run  nothing was changed; this would give key ${id} (${key.name}) a new secret\n`,
      schema: "svc.cli.issued-key/v1",
      json: { dry_run: true, key },
    });
    return "ok";
  }
  const { overlap } = options;
  const body = overlap === undefined ? {} : { overlap_seconds: overlap };
  return issueKey({
    client,
    output,
    terminal,
    options,
    action: "rotated",
    keyId: id,
    ask: () => client.ask(keyRoutes.rotateKey, { params, body }),
  });
}
