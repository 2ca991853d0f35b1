import { canonicalJson } from "@svc/contract/canonical-json";
import { reasonOf } from "../connection/change-options.ts";
import { confirmProtected } from "../connection/confirm-protected.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changePieces, maskedChanges } from "../diff/change-pieces.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { appliedText } from "../rollout/applied-text.ts";
import { applyVersion, outcomeOf } from "../rollout/apply-version.ts";
import { onInterruption } from "../rollout/interruption.ts";
import { modeOf } from "../rollout/policy-mode.ts";
import { readPolicy, readVersion } from "../rollout/read-policy.ts";
import { tryVersion, type VersionDraft } from "../rollout/store-version.ts";
import { undoOf } from "../rollout/undo-of.ts";
import { chooseVersion } from "./choose-version.ts";
import type { RollbackOptions } from "./rollback-options.ts";

const SCHEMA = "svc.cli.rollback/v1";

/** Stores the content of an earlier version as the next one, and waits until every gateway decides by it. */
export async function rollBack(id: string, options: RollbackOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const why = reasonOf(options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const latest = await readPolicy(client, id);
  const to = await chooseVersion(client, latest, options);
  const target = await readVersion(client, id, to);
  const changes = maskedChanges(latest.document, target.document);
  const plan = planPieces(
    { id, from: latest.version, to, mode: modeOf(target.document) },
    changePieces(changes),
  );
  const json = { policy_id: id, version_before: latest.version, rolled_back_to: to, changes };
  if (canonicalJson(latest.document) === canonicalJson(target.document)) {
    const text = `${id} says the same in version ${String(to)} as now: nothing was changed\n`;
    output.result({ text, schema: SCHEMA, json: { ...json, stored: false } });
    return "ok";
  }
  const from = { kind: "version", version: to } as const;
  const draft: VersionDraft = { id, base: latest.version, value: target.document, from, why };
  if (options.dryRun) {
    await tryVersion(client, draft);
    const text = [...plan, { text: "dry run", as: "warning" } as const, "   nothing was changed\n"];
    output.result({ text, schema: SCHEMA, json: { ...json, stored: false } });
    return "ok";
  }
  if (connection.protectedName !== undefined && !options.yes) output.note(plan);
  await confirmProtected(connection, `roll policy ${id} back to version ${String(to)}`, options, terminal);
  const { signal, release } = onInterruption(terminal);
  try {
    const applied = await applyVersion({ client, output, waitMs: options.wait * 1_000, signal }, draft);
    const undo = undoOf(draft, options);
    output.result({
      text: [...plan, ...appliedText(applied, "rolled back", undo, output)],
      schema: SCHEMA,
      json: { ...json, stored: true, ...applied, undo },
    });
    return outcomeOf(applied, signal);
  } finally {
    release();
  }
}

interface Step {
  readonly id: string;
  readonly from: number;
  readonly to: number;
  readonly mode: string;
}

function planPieces({ id, from, to, mode }: Step, changes: readonly Piece[]): Piece[] {
  const next = String(from + 1);
  return [
    { text: id, as: "strong" },
    `: version ${next} with the content of version ${String(to)} in place of ${String(from)}, ${mode}\n`,
    ...(changes.length === 0 ? ["only comments, formatting or defaults differ\n"] : changes),
  ];
}
