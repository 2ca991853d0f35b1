import { parseJson } from "@svc/text/parse-json";
import { parseCheckpoint } from "./checkpoint.ts";

const LINE_START = '{"log_id":"';

/** A signed note, and the log and size that it was signed for. */
export interface LogCheckpoint {
  readonly logId: string;
  readonly size: number;
  readonly note: string;
}

/** One line of an append-only checkpoint file, newline included. */
export function renderCheckpointLine({ logId, size, note }: LogCheckpoint): string {
  return `${JSON.stringify({ log_id: logId, size, note })}\n`;
}

/** Reads a line with its newline; null unless it is just what `renderCheckpointLine` writes of its note. */
export function parseCheckpointLine(line: string): LogCheckpoint | null {
  // Most damage is told apart without the cost of a failed JSON.parse.
  if (!line.startsWith(LINE_START)) return null;
  const note = noteOf(line);
  const said = note === null ? null : parseCheckpoint(note);
  if (note === null || said === null) return null;
  const checkpoint = { logId: said.logId, size: said.size, note };
  return renderCheckpointLine(checkpoint) === line ? checkpoint : null;
}

function noteOf(line: string): string | null {
  try {
    const value = parseJson(line) as { note?: unknown } | null;
    return typeof value?.note === "string" ? value.note : null;
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
}
