import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import type { Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import { renderTable } from "../frame/render-table.ts";
import type { Terminal } from "../frame/terminal.ts";
import { type HistoryEntry, readHistory } from "../rollout/read-history.ts";

/** Lists the versions of a policy. @throws CommandFailure */
export async function listVersions(
  id: string,
  options: ServerOptions & OutputOptions,
  terminal: Terminal,
): Promise<Outcome> {
  const output = new Output(terminal, options);
  const client = new ControlClient(await resolveConnection(options, terminal));
  const versions: HistoryEntry[] = [];
  for await (const entry of readHistory(client, id)) versions.push(entry);
  output.result({
    text: renderTable(HEADINGS, versions.map(rowOf), output.isTerminal),
    schema: "svc.cli.policy-versions/v1",
    json: { policy_id: id, versions },
    items: versions,
  });
  return "ok";
}

const HEADINGS = ["VERSION", "SINCE", "BY", "CONTENT OF", "WHY"];

function rowOf({
  version,
  created_at,
  created_by,
  rolled_back_to: of,
  why,
}: HistoryEntry): readonly string[] {
  return [String(version), created_at, created_by, of === null ? "" : String(of), why ?? ""];
}
