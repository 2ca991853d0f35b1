import { documentsOverExchange } from "@svc/decision-client/documents-over-exchange";
import { createOutcomeReports } from "@svc/decision-client/outcome-reports";
import { createSingleExchange } from "@svc/decision-client/single-exchange";
import { faultText } from "@svc/decision-client/transport-code";
import { parseJson } from "@svc/text/parse-json";
import type { DecisionNotes } from "./decision-notes.ts";
import type { HookSettings } from "./hook-settings.ts";
import { callIdOf } from "./parse-tool-use.ts";
import { HookInputError } from "./read-input.ts";

/** Largest input in bytes: it repeats what the tool answered, such as a whole file. */
export const MAX_TOOL_RESULT_BYTES = 32 * 1024 * 1024;

/** The events of a call that is over, and how it ended. */
const STATUS = { PostToolUse: "succeeded", PostToolUseFailure: "failed" } as const;

/**
 * Tells the gateway how a call ended that was noted as allowed. Nothing here can let a call run.
 * @throws HookInputError, or an error that says why the report was lost
 */
export async function reportToolUse(
  input: Uint8Array,
  { client }: HookSettings,
  notes: DecisionNotes,
): Promise<void> {
  const { event, call, durationMs } = parseToolResult(input);
  const decisionId = call === null ? null : notes.read(call);
  if (call === null || decisionId === null) return;
  let lost: unknown = null;
  const reports = createOutcomeReports(documentsOverExchange(createSingleExchange(client)), (_, error) => {
    lost = error;
  });
  reports.report({ decisionId, status: STATUS[event], durationMs });
  await reports.settled();
  if (lost !== null)
    throw new Error(`The call ran. The report of its outcome was lost (${faultText(lost)}).`);
  notes.remove(call);
}

interface ToolResult {
  readonly event: keyof typeof STATUS;
  /** Null where the client gives its calls no ids. */
  readonly call: { readonly sessionId: string; readonly callId: string } | null;
  readonly durationMs: number | null;
}

/** What a tool answers may be anything, so this reader is not the strict one. */
function parseToolResult(input: Uint8Array): ToolResult {
  const document = readObject(input);
  const event = document["hook_event_name"];
  if (event !== "PostToolUse" && event !== "PostToolUseFailure")
    throw new HookInputError(
      'hook_event_name: expected "PostToolUse" or "PostToolUseFailure" with --report. ' +
        "Remove --report from the hook of PreToolUse.",
    );
  const sessionId = document["session_id"];
  if (typeof sessionId !== "string" || sessionId === "")
    throw new HookInputError("session_id: expected a text.");
  const callId = callIdOf(document["tool_use_id"]);
  const duration = document["duration_ms"];
  return {
    event,
    call: callId === null ? null : { sessionId, callId },
    durationMs: typeof duration === "number" && duration >= 0 ? duration : null,
  };
}

function readObject(input: Uint8Array): Readonly<Record<string, unknown>> {
  const expected = "Expected the JSON of a PostToolUse hook on stdin";
  let value: unknown;
  try {
    value = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(input));
  } catch (error) {
    throw new HookInputError(`${expected}, found something else.`, { cause: error });
  }
  if (typeof value !== "object" || value === null)
    throw new HookInputError(`${expected}, found another value.`);
  return { ...value };
}
