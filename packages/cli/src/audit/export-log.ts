import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { getStream } from "../connection/server-connection.ts";
import type { ServerOptions } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import type { Stretch } from "../frame/parse-options.ts";
import type { Terminal } from "../frame/terminal.ts";
import { writeStream } from "../frame/write-stream.ts";
import { doubtName } from "./audit-selection.ts";

export interface ExportOptions extends ServerOptions {
  readonly out?: string;
  readonly format: "ndjson" | "ocsf";
  readonly agent?: string;
  readonly kind?: string;
  readonly log?: string;
  readonly since?: string;
  readonly between?: Stretch;
}

/** Writes the export of a server as it streams in. @throws CommandFailure */
export async function exportLog(options: ExportOptions, terminal: Terminal): Promise<Outcome> {
  const { out, since, between } = options;
  if (since !== undefined && between !== undefined)
    throw new CommandFailure("usage", "expected --since or --between, found both");
  if (out !== undefined && existsSync(resolve(terminal.workingDirectory, out)))
    throw new CommandFailure("usage", `--out: ${out} is there already: name a file that is not`);
  const connection = await resolveConnection(options, terminal);
  const end = { text: "" };
  const chunks = keepingEnd(
    getStream(connection, "audit/export", {
      query: queryOf(options),
      mediaType: "application/x-ndjson",
    }),
    end,
  );
  if (out === undefined) {
    const decoder = new TextDecoder();
    for await (const chunk of chunks) terminal.writeOut(decoder.decode(chunk, { stream: true }));
  } else {
    const path = await writeStream(chunks, out, terminal);
    terminal.writeError(`exported to ${path}\n`);
  }
  if (holdsNoRow(end.text)) terminal.writeError(noRowText(options));
  return "ok";
}

/** Characters that the last line of an export has at most. */
const END_LENGTH = 1_000;

async function* keepingEnd(
  chunks: AsyncIterable<Uint8Array>,
  end: { text: string },
): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    end.text = (end.text + Buffer.from(chunk).toString("latin1")).slice(-END_LENGTH);
    yield chunk;
  }
}

/** Events have no last line that counts, so without a row there is nothing. */
function holdsNoRow(end: string): boolean {
  return end === "" || /\{"end":\{"rows":0,[^\n]*\}\n$/.test(end);
}

function noRowText({ agent, kind, log, since, between }: ExportOptions): string {
  const isFiltered = [agent, kind, log, since, between].some((option) => option !== undefined);
  return `warning: the export holds no row${isFiltered ? ` that fits${doubtName(agent)}` : ""}\n`;
}

function queryOf({ format, agent, kind, log, since, between }: ExportOptions) {
  return {
    format: format === "ndjson" ? undefined : format,
    agent_id: agent,
    kind,
    log_id: log,
    since: between?.since ?? since,
    until: between?.until,
  };
}
