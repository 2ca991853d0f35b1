import { canonicalJson } from "@svc/text/canonical-json";
import { reasonOr } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changePieces, maskedChanges } from "../diff/change-pieces.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { changeVersion } from "../rollout/change-version.ts";
import { modeOf } from "../rollout/policy-mode.ts";
import { readPolicy, readVersion } from "../rollout/read-policy.ts";
import type { VersionDraft } from "../rollout/store-version.ts";
import { chooseVersion } from "./choose-version.ts";
import type { RollbackOptions } from "./rollback-options.ts";

const SCHEMA = "svc.cli.rollback/v1";

/** Stores the content of an earlier version as the next one, and waits until every gateway decides by it. */
export async function rollBack(id: string, options: RollbackOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const why = reasonOr("svc-cli rollback", options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const latest = await readPolicy(client, id);
  const to = await chooseVersion(client, latest, options);
  const { document: value } = await readVersion(client, id, to);
  const changes = maskedChanges(latest.document, value);
  const json = { policy_id: id, version_before: latest.version, rolled_back_to: to, changes };
  if (canonicalJson(latest.document) === canonicalJson(value)) {
    const text = `${id} says the same in version ${String(to)} as now: nothing was changed\n`;
    output.result({ text, schema: SCHEMA, json: { ...json, stored: false } });
    return "ok";
  }
  const draft: VersionDraft = {
    id,
    base: latest.version,
    value,
    from: { kind: "version", version: to },
    why,
  };
  const change = {
    draft,
    plan: planPieces(draft, to, changePieces(changes)),
    intent: `roll policy ${id} back to version ${String(to)}`,
    done: "rolled back",
    schema: SCHEMA,
    json,
  } as const;
  return changeVersion(change, { connection, client, output, options, terminal });
}

function planPieces({ id, base, value }: VersionDraft, to: number, changes: readonly Piece[]): Piece[] {
  const before = base ?? 0;
  const place = `version ${String(before + 1)} with the content of version ${String(to)}`;
  return [
    { text: id, as: "strong" },
    `: ${place} in place of ${String(before)}, ${modeOf(value)}\n`,
    ...(changes.length === 0 ? ["only comments, formatting or defaults differ\n"] : changes),
  ];
}
