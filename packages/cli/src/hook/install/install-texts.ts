import { shellWord } from "../../frame/shell-word.ts";
import type { Terminal } from "../../frame/terminal.ts";
import type { HookSettings } from "../claude-code/hook-settings.ts";
import type { CommandOptions, HookGroups } from "./installed-command.ts";
import { type SettingsChoice, settingsPath } from "./settings-file.ts";
import type { GatewayTrial } from "./try-gateway.ts";

interface Installation {
  readonly groups: HookGroups;
  readonly command: CommandOptions;
  readonly settings: HookSettings;
  /** Where the address comes from. */
  readonly source: string;
  readonly trial: GatewayTrial;
}

/** What is installed and whether it will work, before the change of the file is shown. */
export function installSummary({ groups, command, settings, source, trial }: Installation): string {
  const { agent, namespace, url, apiKeyFile } = command;
  const lines = {
    hooks: Object.keys(groups).join(", "),
    agent: namespace === undefined ? agent : `${agent}, in namespace ${namespace}`,
    gateway: `${url}, by ${source}${trial.isReady ? `: ${trial.message}` : ""}`,
    "API key": keyText(apiKeyFile, settings.client.apiKey !== null),
  };
  const summary = Object.entries(lines).map(([name, text]) => `  ${name.padEnd(7)}  ${text}\n`);
  const warning = `warning: until this is mended, every call is blocked: ${trial.message}\n`;
  return summary.join("") + FIXED + (trial.isReady ? "" : warning);
}

const FIXED = "  The hook keeps this gateway, whatever SVC_URL and svc-cli context use say later.\n";

function keyText(file: string | undefined, isSet: boolean): string {
  if (file !== undefined) return `in ${file}`;
  return isSet
    ? "SVC_API_KEY of each start of Claude Code, or of a project's settings. --api-key-file fixes it"
    : "none. Give --api-key-file, if the gateway asks for a key";
}

/** What is said when the hook is installed. */
export function installedText(choice: SettingsChoice, terminal: Terminal): string {
  const status = `${ownCommand(terminal)} hook status${choiceWords(choice, terminal)}`;
  return (
    "The hook is installed. Claude Code reads the settings at its next start. Try it, with a tool that the " +
    `policy denies:\n  ${status} --probe some.tool\n`
  );
}

function choiceWords(choice: SettingsChoice, terminal: Terminal): string {
  if (choice.settings !== undefined) return ` --settings ${shellWord(settingsPath(choice, terminal))}`;
  return choice.scope === "user" ? "" : ` --scope ${choice.scope}`;
}

/** How this program was started: in the repository, no svc-cli is on the PATH. */
function ownCommand({ environment }: Terminal): string {
  if (environment["npm_lifecycle_event"] === "svc-cli") return "npm run -s svc-cli --";
  return environment["npm_command"] === "exec" ? "npx svc-cli" : "svc-cli";
}
