import { realpathSync } from "node:fs";
import { printable } from "@svc/process/printable";
import { Command, Option } from "commander";
import { withAddress } from "../../connection/server-options.ts";
import { confirm } from "../../frame/confirm.ts";
import { CommandFailure, type Exit } from "../../frame/exit-code.ts";
import type { Terminal } from "../../frame/terminal.ts";
import { checkInstall, type WantedHook } from "./check-install.ts";
import { withHooks, withoutHooks, withoutSkillShells } from "./find-hooks.ts";
import { installedText, installSummary } from "./install-texts.ts";
import { type HookProgram, hookGroups } from "./installed-command.ts";
import { lineDiff } from "./line-diff.ts";
import {
  readSettingsFile,
  SETTINGS_SCOPES,
  type SettingsChoice,
  settingsPath,
  writeSettingsFile,
} from "./settings-file.ts";
import { tryGateway } from "./try-gateway.ts";

interface ChangeOptions extends SettingsChoice {
  readonly dryRun: boolean;
  readonly yes: boolean;
}

interface InstallOptions extends ChangeOptions, WantedHook {}

const scopeOption = () =>
  new Option("--scope <scope>", "whose settings of Claude Code").choices(SETTINGS_SCOPES).default("user");

/** Adds the options that say which settings file is meant. */
export function withSettingsOptions(command: Command): Command {
  return command
    .addOption(scopeOption())
    .option("--settings <file>", "this file in place of the scope's, such as managed settings");
}

function withChangeOptions(command: Command): Command {
  return withSettingsOptions(command)
    .option("--dry-run", "show the change and do not make it", false)
    .option("-y, --yes", "make the change without a question", false);
}

/** `svc-cli hook install`. */
export function installCommand(terminal: Terminal, exit: Exit): Command {
  return withAddress(withChangeOptions(new Command("install")))
    .description("put the hook into the settings of Claude Code")
    .option("--agent <id>", "agent that the calls are judged as; else SVC_AGENT_ID, as it is now")
    .option("--namespace <name>", "its namespace; else SVC_NAMESPACE, as it is now")
    .option(
      "--api-key-file <path>",
      "file with the API key; else SVC_API_KEY_FILE or the file of the context, as they are now, or " +
        "SVC_API_KEY, as it is at each call",
    )
    .addHelpText("before", INSTALL_EXAMPLES)
    .action(async (options: InstallOptions) => {
      const { settings, command, source } = checkInstall(options, terminal);
      const groups = hookGroups(thisProgram(), command);
      const path = settingsPath(options, terminal);
      const before = readSettingsFile(path);
      const after = withoutSkillShells(withHooks(before, groups));
      const trial = await tryGateway(settings);
      const summary = installSummary({ groups, command, settings, source, trial });
      const done = installedText(options, terminal);
      await change({ path, before, after, summary, done }, options, terminal);
      exit("ok");
    });
}

/** `svc-cli hook uninstall`. */
export function uninstallCommand(terminal: Terminal, exit: Exit): Command {
  return withChangeOptions(new Command("uninstall"))
    .description("take the hook out of the settings of Claude Code")
    .addHelpText("before", UNINSTALL_EXAMPLES)
    .action(async (options: ChangeOptions) => {
      const path = settingsPath(options, terminal);
      const before = readSettingsFile(path);
      await change(
        { path, before, after: withoutHooks(before), summary: "", done: REMOVED },
        options,
        terminal,
      );
      exit("ok");
    });
}

interface Change {
  readonly path: string;
  readonly before: string;
  readonly after: string;
  /** What the change is, in lines. */
  readonly summary: string;
  /** What is said when it is made. */
  readonly done: string;
}

const REMOVED =
  "The hook is removed. Claude Code reads the settings at its next start. " +
  "A disableSkillShellExecution stays, because it may be yours.\n";

async function change(
  { path, before, after, summary, done }: Change,
  { dryRun, yes }: ChangeOptions,
  terminal: Terminal,
): Promise<void> {
  if (before === after) return terminal.writeOut(printable(`${path}: nothing to change\n${summary}`));
  terminal.writeOut(printable(`${path}:\n${summary}${lineDiff(before, after)}`));
  if (dryRun) return terminal.writeOut("Nothing was changed, because of --dry-run.\n");
  if (!yes && !(await confirm("Make this change?", terminal)))
    throw new CommandFailure("failed", "the change was not made");
  writeSettingsFile(path, before, after);
  terminal.writeOut(done);
}

/** Where this program lies. A relative path would be looked for where the agent happens to work. */
function thisProgram(): HookProgram {
  return { node: process.execPath, script: realpathSync(process.argv[1] ?? "") };
}

const INSTALL_EXAMPLES = `Examples:
  svc-cli hook install --agent my-agent --dry-run
  svc-cli hook install --agent my-agent --url https://svc.example --api-key-file ~/.svc-key
  svc-cli hook install --agent my-agent --context prod --scope project --yes

`;

const UNINSTALL_EXAMPLES = `Examples:
  svc-cli hook uninstall --scope project

`;
