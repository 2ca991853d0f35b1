import { keyRoutes } from "@svc/api/key-routes";
import { ROLES, type Role } from "@svc/contract/role";
import { confirmProtected } from "../connection/confirm-protected.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { issueKey } from "./issue-key.ts";

export interface CreateOptions extends ServerOptions, OutputOptions {
  readonly role?: Role;
  readonly out?: string;
  readonly agents?: readonly string[];
  readonly namespaces?: readonly string[];
  /** Seconds. */
  readonly expiresIn?: number;
  readonly org?: string;
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Makes an API key. @throws CommandFailure */
export async function createKey(name: string, options: CreateOptions, terminal: Terminal): Promise<Outcome> {
  const { role, agents, namespaces, expiresIn, org } = options;
  if (role === undefined)
    throw new CommandFailure("usage", `--role: expected one of ${ROLES.join(", ")}, found none`);
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `make a key of role ${role}`, options, terminal);
  const body = {
    name,
    role,
    agents: agents === undefined ? null : [...agents],
    namespaces: namespaces === undefined ? null : [...namespaces],
    expires_at: expiresIn === undefined ? null : new Date(Date.now() + expiresIn * 1_000).toISOString(),
    ...(org === undefined ? {} : { org_id: org }),
  };
  if (options.dryRun) {
    output.result({
      text: `dry run  nothing was changed; this would make key ${name} of role ${role}\n`,
      schema: "svc.cli.issued-key/v1",
      json: { dry_run: true, would_create: body },
    });
    return "ok";
  }
  const client = new ControlClient(connection);
  return issueKey({
    client,
    output,
    terminal,
    options,
    action: "created",
    keyId: null,
    ask: () => client.ask(keyRoutes.createKey, { body }),
  });
}
