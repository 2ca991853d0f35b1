import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { addressWords } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { shellWord } from "../frame/shell-word.ts";
import type { Terminal } from "../frame/terminal.ts";
import { modeOf, type Policy, readPolicy } from "../rollout/read-policy.ts";
import { laterModes } from "./promote.ts";
import { reportSince, reportText, type StatusOptions } from "./report-since.ts";

/** Shows the mode of a policy, and what enforcement would have answered. @throws CommandFailure */
export async function showStatus(id: string, options: StatusOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const policy = await readPolicy(client, id);
  const { version, document, enabled, archived } = policy;
  const report = await reportSince(client, id, options);
  const mode = modeOf(document);
  const [next] = laterModes(mode);
  const promote = `svc-cli governance promote ${shellWord(id)}${addressWords(options)} --reason "..."`;
  output.result({
    text: [
      { text: id, as: "strong" },
      ` version ${String(version)}, ${mode}${stateText(policy)}\n`,
      ...reportText(report),
      ...(next === undefined ? [] : [`next      ${next}: ${promote}\n`]),
    ],
    schema: "svc.cli.governance-status/v1",
    json: { policy_id: id, version, mode, enabled, archived, next_mode: next ?? null, report },
  });
  return "ok";
}

function stateText({ archived, enabled }: Policy): string {
  if (archived) return ", archived: it governs nothing";
  return enabled ? "" : ", disabled: it denies every call that it governs";
}
