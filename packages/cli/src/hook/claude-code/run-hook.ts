import type { Ending } from "../block-by-default.ts";
import { withTrialMark } from "../trial.ts";
import { DecisionNotes } from "./decision-notes.ts";
import {
  HOOK_DEADLINE_MS,
  HOOK_HELP,
  type HookOptions,
  HookUsageError,
  parseHookOptions,
} from "./hook-options.ts";
import { type HookSettings, readHookSettings } from "./hook-settings.ts";
import { type HookAnswer, judgeToolUse } from "./judge-tool-use.ts";
import { MAX_TOOL_USE_BYTES, parseToolUse } from "./parse-tool-use.ts";
import { HookInputError, readInput } from "./read-input.ts";
import { renderBlock } from "./render-answer.ts";
import { MAX_TOOL_RESULT_BYTES, reportToolUse } from "./report-tool-use.ts";

/** Runs the hook of this process, whose arguments follow `hook claude-code`. */
export function runHook(args: readonly string[], ending: Ending): void {
  const late = new Error(`It took longer than ${String(HOOK_DEADLINE_MS)} ms.`);
  setTimeout(() => ending.fail(late), Math.max(0, HOOK_DEADLINE_MS - performance.now()));
  answerHook(args).then((answer) => {
    if (answer.kind === "pass") ending.pass(answer.answer);
    ending.block(withTrialMark(answer.reason, answer.cause, process.env), answer.answer);
  }, ending.fail);
}

async function answerHook(args: readonly string[]): Promise<HookAnswer> {
  try {
    const options = parseHookOptions(args);
    if (options.help) return help();
    const settings = readHookSettings(options, process.env);
    return options.report ? await report(settings) : await judge(options, settings);
  } catch (error) {
    if (!(error instanceof HookUsageError || error instanceof HookInputError)) throw error;
    const { message } = error;
    return { kind: "block", cause: "unknown", reason: message, answer: renderBlock(message) };
  }
}

/** A client writes the call to stdin. Only a person has a terminal there. */
function help(): HookAnswer {
  if (process.stdin.isTTY) return { kind: "pass", answer: HOOK_HELP };
  return { kind: "block", cause: "unknown", reason: HOOK_HELP, answer: "" };
}

async function judge({ outcomes }: HookOptions, settings: HookSettings): Promise<HookAnswer> {
  const use = parseToolUse(await readInput(process.stdin, MAX_TOOL_USE_BYTES));
  return judgeToolUse(use, { settings, notes: outcomes ? new DecisionNotes() : null });
}

async function report(settings: HookSettings): Promise<HookAnswer> {
  const input = await readInput(process.stdin, MAX_TOOL_RESULT_BYTES);
  await reportToolUse(input, settings, new DecisionNotes());
  return { kind: "pass", answer: "" };
}
