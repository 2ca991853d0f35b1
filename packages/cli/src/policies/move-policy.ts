import { assignmentRoutes } from "@svc/api/assignment-routes";
import { policyStateRoutes } from "@svc/api/policy-state-routes";
import type { JsonAnswerOf } from "@svc/api/route";
import type { RowMembers } from "@svc/contract/audit-answer";
import { confirmProtected, type ReasonedOptions, reasonOf } from "../connection/change-options.ts";
import { type ChangeRow, changeRowLine, findChangeRow, rowsBefore } from "../connection/change-row.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { changeWords, sayWhatIsKnown } from "../connection/say-what-is-known.ts";
import { addressWords } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { shellWord } from "../frame/shell-word.ts";
import type { Terminal } from "../frame/terminal.ts";
import type { Piece } from "../frame/text.ts";
import { confirmationText } from "../rollout/applied-text.ts";
import { awaitGateways, type Confirmation } from "../rollout/await-gateways.ts";
import { interruptible } from "../rollout/interruptible.ts";
import { type Policy, readPolicy } from "../rollout/read-policy.ts";

export interface MoveOptions extends ReasonedOptions {
  readonly id: string;
  readonly to: "enabled" | "disabled";
  /** In seconds. */
  readonly wait: number;
}

type Moved = JsonAnswerOf<typeof policyStateRoutes.enablePolicy>["body"];

const MOVES = {
  enabled: { ask: policyStateRoutes.enablePolicy, verb: "enable", undo: "disable" },
  disabled: { ask: policyStateRoutes.disablePolicy, verb: "disable", undo: "enable" },
} as const;

const SCHEMA = "svc.cli.policy-state/v1";

/** Enables or disables a policy, and waits until every gateway has confirmed. @throws CommandFailure */
export async function movePolicy(options: MoveOptions, terminal: Terminal): Promise<Outcome> {
  const { id, to, wait } = options;
  const { verb } = MOVES[to];
  const output = new Output(terminal, options);
  const why = reasonOf(options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const before = await readPolicy(client, id);
  if (options.dryRun) return showMove(before, options, { client, output });
  await confirmProtected(connection, `${verb} policy ${id}`, options, terminal);
  return interruptible(terminal, async (signal) => {
    const query = { kind: "policy", policy_id: id };
    const known = await rowsBefore(client, query);
    const sentMs = performance.now();
    const asked = client.ask(MOVES[to].ask, { params: { policy_id: id }, body: { why } });
    const words = changeWords(`svc-cli policies show ${shellWord(id)}${addressWords(options)}`);
    const { body: moved } = await sayWhatIsKnown(asked, words);
    const { version, gateways } = moved;
    const waited = { id, version, known: gateways, sentMs, waitMs: wait * 1_000, signal };
    const confirmation = await awaitGateways(client, waited, output);
    const wasThere = before.enabled === moved.enabled && before.archived === moved.archived;
    const isIt = ({ action }: RowMembers): boolean => action === to;
    const row = wasThere ? UNCHANGED : await findChangeRow(client, query, isIt, known);
    const undo = wasThere ? null : undoOf(options);
    output.result({
      text: movedText({ moved, to, wasThere, confirmation, row, undo }, output),
      schema: SCHEMA,
      json: { ...moved, ...confirmation, audit_row: row.id, undo },
    });
    if (confirmation.confirmed) return "ok";
    return signal.aborted ? "interrupted" : "unreachable";
  });
}

const UNCHANGED: ChangeRow = { id: null, why: "nothing was changed" };

function undoOf(options: MoveOptions): string {
  const { id, to } = options;
  return `svc-cli policies ${MOVES[to].undo} ${shellWord(id)}${addressWords(options)} --reason "..."`;
}

interface MovedFacts {
  readonly moved: Moved;
  readonly to: MoveOptions["to"];
  /** Whether the policy was in this state before. */
  readonly wasThere: boolean;
  readonly confirmation: Confirmation;
  readonly row: ChangeRow;
  readonly undo: string | null;
}

function movedText({ moved, to, wasThere, confirmation, row, undo }: MovedFacts, output: Output): Piece[] {
  const { id, version } = moved;
  const head: Piece = confirmation.confirmed
    ? { text: to.padEnd(9), as: "good" }
    : { text: "NOT CONFIRMED EVERYWHERE", as: "bad" };
  const was = wasThere ? `, as it was before: nothing was changed` : "";
  return [
    head,
    ` ${id}: ${effectText(to, version)}${was}\n`,
    ...confirmationText(confirmation, output, CONFIRMED),
    ...(wasThere ? [] : [changeRowLine(row)]),
    ...(undo === null ? [] : [`undo      ${undo}\n`]),
  ];
}

const CONFIRMED = {
  heading: "CONFIRMED",
  silent: "not confirmed: it may still decide as before",
  stored: "The change is stored. Run the command again to wait on: it stores nothing twice.",
};

function effectText(to: MoveOptions["to"], version: number): string {
  return to === "enabled"
    ? `version ${String(version)} governs its calls`
    : "every call that it governs is denied";
}

interface Surroundings {
  readonly client: ControlClient;
  readonly output: Output;
}

async function showMove(
  { id, version, enabled, archived }: Policy,
  { to }: MoveOptions,
  { client, output }: Surroundings,
): Promise<Outcome> {
  const { body } = await client.ask(assignmentRoutes.listAssignments, { query: { policy_id: id } });
  const bound = body.policy_assignments.map(({ agent_id: agent, namespace_id: namespace }) =>
    agent === null ? `namespace ${namespace ?? ""}` : `agent ${agent}`,
  );
  const more = body.next_cursor === null ? "" : " and others";
  const isThere = enabled === (to === "enabled") && !archived;
  output.result({
    text: [
      { text: "dry run ", as: "warning" },
      `  nothing was changed; ${id} ${isThere ? `is ${to} already` : `would be ${to}`}: ` +
        `${effectText(to, version)}\n`,
      `governs   ${bound.length === 0 ? "nothing" : `${bound.join(", ")}${more}`}\n`,
    ],
    schema: SCHEMA,
    json: { id, version, enabled, dry_run: true, would_be: to, assignments: body.policy_assignments },
  });
  return "ok";
}

/** The command that enables a policy. */
export function enableText(id: string): string {
  return `svc-cli policies enable ${shellWord(id)} --reason "..."`;
}

/** What a disabled policy stops, and how it is enabled. */
export function disabledPolicyText(id: string): string {
  return `policy ${id} is disabled, so every call that it governs is denied: ${enableText(id)}`;
}
