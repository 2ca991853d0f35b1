import { resolve } from "node:path";
import { keyPathOf } from "../../connection/context-file.ts";
import { readKeyFile } from "../../connection/read-key.ts";
import { type Address, resolveAddress } from "../../connection/resolve-connection.ts";
import type { ServerOptions } from "../../connection/server-options.ts";
import { CommandFailure } from "../../frame/exit-code.ts";
import type { Terminal } from "../../frame/terminal.ts";
import { HookUsageError } from "../claude-code/hook-options.ts";
import { type HookSettings, readHookSettings } from "../claude-code/hook-settings.ts";
import type { CommandOptions } from "./installed-command.ts";

/** What a person says about the hook to install. */
export interface WantedHook extends Pick<ServerOptions, "url" | "context" | "env"> {
  readonly agent?: string;
  readonly namespace?: string;
  readonly apiKeyFile?: string;
}

/** A hook that can be installed. */
interface CheckedInstall {
  readonly settings: HookSettings;
  /** What the settings of Claude Code will fix. */
  readonly command: CommandOptions;
  /** Where the address comes from, for people. */
  readonly source: string;
}

/**
 * Settles what the installed command is told, from the options, variables and contexts as they are now. A
 * hook with wrong ones would block every call. @throws CommandFailure `usage`
 */
export function checkInstall(wanted: WantedHook, terminal: Terminal): CheckedInstall {
  const { environment } = terminal;
  const address = resolveAddress(wanted, terminal);
  const { agent, namespace } = wanted;
  const url = wanted.url ?? address.url.href;
  const apiKeyFile = keyFileOf(wanted, address, terminal);
  try {
    const given = { agent, namespace, url, apiKeyFile, outcomes: true, report: false, help: false };
    const settings = readHookSettings(given, environment);
    const command = { agent: settings.agentId, namespace: settings.namespace ?? undefined, url, apiKeyFile };
    return { settings, command, source: address.source };
  } catch (error) {
    if (error instanceof HookUsageError) throw new CommandFailure("usage", error.message, error);
    throw error;
  }
}

/** The file of the key, by the order that every command has. The hook runs where the agent works. */
function keyFileOf(
  { apiKeyFile }: WantedHook,
  { context, isNamed }: Address,
  terminal: Terminal,
): string | undefined {
  const { SVC_API_KEY_FILE: variable = "", SVC_API_KEY: key = "" } = terminal.environment;
  if (apiKeyFile !== undefined) return apiKeyFile && resolve(terminal.workingDirectory, apiKeyFile);
  const ofContext = context === null ? null : keyPathOf(context, terminal);
  if (ofContext !== null && (isNamed || (variable === "" && key === ""))) {
    readKeyFile(ofContext);
    return ofContext;
  }
  return variable === "" ? undefined : resolve(terminal.workingDirectory, variable);
}
