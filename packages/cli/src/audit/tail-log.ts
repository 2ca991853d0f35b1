import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output, type OutputOptions } from "../frame/output.ts";
import type { Terminal } from "../frame/terminal.ts";
import { untilEnded } from "../frame/until-ended.ts";
import { listQuery, type SelectionOptions, streamQuery } from "./audit-selection.ts";
import { doubtName } from "./doubt-name.ts";
import { followRows } from "./follow-rows.ts";
import { readHistory } from "./read-history.ts";
import { ocsfResult, rowResult } from "./render-row.ts";

export interface TailOptions extends ServerOptions, Omit<OutputOptions, "output">, SelectionOptions {
  readonly output: "pretty" | "ndjson" | "ocsf";
  readonly follow: boolean;
  readonly lines?: number;
}

/** Rows that are shown when neither a number nor a time is named, as count. */
const DEFAULT_LINES = 20;

/** Shows the last rows, and goes on with new ones when asked to. @throws CommandFailure */
export async function tailLog(options: TailOptions, terminal: Terminal): Promise<Outcome> {
  const { between, since, follow } = options;
  if (follow && between !== undefined)
    throw new CommandFailure("usage", "-f follows what happens from now on: use it with --since");
  const form = options.output === "ocsf" ? "ndjson" : options.output;
  const output = new Output(terminal, { ...options, output: form });
  const query = listQuery(options);
  const lines = options.lines ?? (since === undefined && between === undefined ? DEFAULT_LINES : null);
  const connection = await resolveConnection(options, terminal);
  return untilEnded(terminal, async (signal) => {
    const client = new ControlClient(connection, signal);
    const before = () => readHistory(client, { query, lines }, output);
    const write = (row: Awaited<ReturnType<typeof before>>[number]): void =>
      output.result(options.output === "ocsf" ? ocsfResult(row) : rowResult(row, output.isTerminal));
    if (follow)
      await followRows(
        { connection, client, signal, query: streamQuery(options), selection: options },
        { before, write, output },
      );
    else {
      const rows = await before();
      for (const row of rows) write(row);
      if (rows.length === 0) output.note(`no row of the audit log matches${doubtName(options.agent)}\n`);
    }
    return "ok";
  });
}
