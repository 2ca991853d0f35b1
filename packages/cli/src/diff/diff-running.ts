import { ControlClient } from "../connection/control-client.ts";
import { isServerNamed, resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { readPolicyFile } from "../policy-files/read-policy-file.ts";
import { decisionText, diffDecisions } from "../rollout/diff-decisions.ts";
import { interruptible } from "../rollout/interruptible.ts";
import { findPolicy } from "../rollout/read-policy.ts";
import { changePieces, maskedChanges } from "./change-pieces.ts";

/** Compares a file with the version that runs, in meaning and in decisions. @throws CommandFailure */
export async function diffRunning(path: string, options: DiffOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  if (!isServerNamed(options, terminal))
    throw new CommandFailure(
      "usage",
      "expected a second policy, or a server that runs one: --env, --context or --url",
    );
  const file = await readPolicyFile(path, terminal);
  const { reading, explaining } = await compilePolicyFile(file);
  const { id } = explaining.document.head;
  const client = new ControlClient(await resolveConnection(options, terminal));
  const running = await findPolicy(client, id);
  if (running === null)
    throw new CommandFailure("failed", `the server has no policy ${id}: svc-cli deploy makes it`);
  const changes = maskedChanges(running.document, reading.value);
  const question = { policyId: id, running: running.version, source: file.source, count: options.replay };
  const isAsked = changes.length > 0 && options.replay > 0;
  const ask = (signal: AbortSignal) => diffDecisions(client, { ...question, signal }, output);
  const decisions = isAsked ? await interruptible(terminal, ask) : null;
  output.result({
    text: [
      { text: id, as: "strong" },
      `: ${file.name} against version ${String(running.version)}\n`,
      ...(changes.length === 0 ? ["No difference in meaning.\n"] : changePieces(changes)),
      ...(decisions === null ? [] : decisionText(decisions)),
    ],
    schema: "svc.cli.diff-running/v1",
    json: { policy_id: id, file: file.name, version: running.version, changes, decisions },
    items: changes,
  });
  return changes.length > 0 && options.exitCode ? "failed" : "ok";
}

export interface DiffOptions extends OutputOptions, ServerOptions {
  readonly exitCode: boolean;
  /** How many recorded decisions are decided again, where one policy is compared with what runs. */
  readonly replay: number;
}
