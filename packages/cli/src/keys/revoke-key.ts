import { keyRoutes } from "@svc/api/key-routes";
import { changeRowMember, findChangeRow } from "../connection/change-row.ts";
import { confirmProtected } from "../connection/confirm-protected.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderMembers } from "../frame/render-members.ts";
import type { Terminal } from "../frame/terminal.ts";
import { acknowledgementText, isConfirmed } from "../kill/acknowledgement-text.ts";
import { keyMembers, keyState } from "./key-text.ts";

export interface RevokeOptions extends ServerOptions, OutputOptions {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

/** Ends a key, and says which gateways refuse it. @throws CommandFailure */
export async function revokeKey(id: string, options: RevokeOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const connection = await resolveConnection(options, terminal);
  await confirmProtected(connection, `end key ${id} for good`, options, terminal);
  const client = new ControlClient(connection);
  const params = { key_id: id };
  if (options.dryRun) {
    const { body: key } = await client.ask(keyRoutes.getKey, { params });
    output.result({
      text: [
        `dry run  nothing was changed; this would end key ${id}\n`,
        ...renderMembers([...keyMembers(key), ["state", keyState(key, Date.now())]]),
      ],
      schema: "svc.cli.revoked-key/v1",
      json: { dry_run: true, key },
    });
    return "ok";
  }
  const asked = client.ask(keyRoutes.revokeKey, { params });
  const { body: revoked } = await sayWhatIsKnown(asked, changeWords("svc-cli keys list"));
  const row = await findChangeRow(
    client,
    { kind: "key" },
    ({ action, key_id: key }) => action === "revoked" && key === id,
  );
  output.result({
    text: [
      isConfirmed(revoked) ? { text: "revoked", as: "good" } : { text: "NOT KNOWN EVERYWHERE", as: "bad" },
      `  key ${id} (${revoked.name})\n`,
      ...acknowledgementText(revoked, output),
      ...renderMembers([
        ["undo", 'not possible: make another key with svc-cli keys create "<name>" --role <role>'],
        ...changeRowMember(row),
      ]),
    ],
    schema: "svc.cli.revoked-key/v1",
    json: { ...revoked, audit_row: row.id },
  });
  return isConfirmed(revoked) ? "ok" : "unreachable";
}
