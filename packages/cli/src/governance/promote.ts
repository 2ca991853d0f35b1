import { GOVERNANCE_MODES, type GovernanceMode } from "@svc/contract/verdict";
import type { JsonObject } from "@svc/text/json-value";
import { type ReasonedOptions, reasonOr } from "../connection/change-options.ts";
import { ControlClient } from "../connection/control-client.ts";
import { resolveConnection } from "../connection/resolve-connection.ts";
import { addressWords } from "../connection/server-options.ts";
import { CommandFailure, type Outcome } from "../frame/exit-code.ts";
import { Output } from "../frame/output.ts";
import { shellWord } from "../frame/shell-word.ts";
import type { Terminal } from "../frame/terminal.ts";
import { compilePolicyFile } from "../policy-files/compile-policy-file.ts";
import { changeVersion, type VersionChange } from "../rollout/change-version.ts";
import { modeOf, type Policy, readPolicy, readVersionText } from "../rollout/read-policy.ts";
import type { VersionDraft } from "../rollout/store-version.ts";
import { withMode } from "../rollout/with-mode.ts";
import { reportSince, reportText, type StatusOptions } from "./report-since.ts";

export interface PromoteOptions extends ReasonedOptions, StatusOptions {
  readonly to?: GovernanceMode;
  /** In seconds. */
  readonly wait: number;
}

/** The mode after which there is none. */
const LAST = "enforcement" satisfies GovernanceMode;

const SCHEMA = "svc.cli.governance-promote/v1";

/** Stores the policy with a later mode, and waits for every gateway. @throws CommandFailure */
export async function promote(id: string, options: PromoteOptions, terminal: Terminal): Promise<Outcome> {
  const output = new Output(terminal, options);
  const why = reasonOr("svc-cli governance promote", options);
  const connection = await resolveConnection(options, terminal);
  const client = new ControlClient(connection);
  const running = await readPolicy(client, id);
  const before = modeOf(running.document);
  const json = { policy_id: id, mode_before: before };
  if (before === (options.to ?? LAST)) {
    const text = `${id} is in ${before} already: nothing was changed\n`;
    output.result({ text, schema: SCHEMA, json: { ...json, mode: before, stored: false } });
    return "ok";
  }
  const mode = chosenMode(id, before, options);
  const draft = await draftOf(client, running, mode, why);
  const report = await reportSince(client, id, options);
  const change: VersionChange = {
    draft,
    plan: [{ text: id, as: "strong" }, `: ${before} -> ${mode}. ${EFFECTS[mode]}\n`, ...reportText(report)],
    intent: `take policy ${id} from ${before} to ${mode}`,
    done: "promoted",
    schema: SCHEMA,
    json: { ...json, mode, report },
  };
  return changeVersion(change, { connection, client, output, options, terminal });
}

/** What a mode does, for people. */
const EFFECTS: Readonly<Record<GovernanceMode, string>> = {
  audit_only: "Every call passes, and what enforcement would have answered is recorded.",
  shadow: "Every call still passes, and what enforcement would have answered is recorded.",
  enforcement: "Calls that the policy denies or pauses will stop.",
};

/** @throws CommandFailure `usage` for a mode that comes before */
function chosenMode(id: string, before: GovernanceMode, options: PromoteOptions): GovernanceMode {
  const later = laterModes(before);
  const { to } = options;
  const mode = to === undefined ? later[0] : later.find((candidate) => candidate === to);
  if (mode !== undefined) return mode;
  const at = addressWords(options);
  const back = to ?? before;
  throw new CommandFailure(
    "usage",
    `--to: promote only goes forward, and ${id} is in ${before}; nothing was changed. ` +
      `To go back to ${back}: ` +
      `svc-cli deploy <file> --mode ${back}${at} --reason "...", ` +
      `or svc-cli rollback ${shellWord(id)}${at} --reason "..." for the content of an earlier version`,
  );
}

async function draftOf(
  client: ControlClient,
  running: Policy,
  mode: GovernanceMode,
  why: string,
): Promise<VersionDraft> {
  const { id, version: base } = running;
  const source = await readVersionText(client, id, base);
  const document = withMode({ name: id, source, mediaType: "application/yaml" }, mode);
  const { reading } = await compilePolicyFile(document);
  const value: JsonObject = reading.value;
  return { id, base, value, from: { kind: "document", document }, why };
}

/** The modes that come after one in a rollout, the next one first. */
export function laterModes(mode: GovernanceMode): readonly GovernanceMode[] {
  return GOVERNANCE_MODES.slice(GOVERNANCE_MODES.indexOf(mode) + 1);
}
