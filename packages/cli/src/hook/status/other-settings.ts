import { basename } from "node:path";
import type { JsonObject } from "@svc/text/json-value";
import { CommandFailure } from "../../frame/exit-code.ts";
import type { Terminal } from "../../frame/terminal.ts";
import { SKILL_SHELLS } from "../install/find-hooks.ts";
import { parseSettings, readSettingsFile, SETTINGS_SCOPES, settingsPath } from "../install/settings-file.ts";
import { type OpenWay, waysOfEnvironment } from "./open-ways.ts";

/** Settings that others cannot turn off. */
const MANAGED = "managed-settings.json";

/**
 * Ways in which other settings, which Claude Code reads together with those at `path`, open a hook there: it
 * reads the user's, and those of the project in the current folder.
 * @param commands the installed commands
 */
export function waysOfOtherSettings(
  path: string,
  commands: readonly string[],
  terminal: Terminal,
): readonly OpenWay[] {
  const others = SETTINGS_SCOPES.map((scope) => settingsPath({ scope }, terminal));
  return [...new Set(others)].flatMap((other) => {
    if (other === path) return [];
    const settings = readOther(other);
    if ("message" in settings) return [settings];
    const isOff = settings.found["disableAllHooks"] === true && basename(path) !== MANAGED;
    const off = isOff ? ["disableAllHooks is true, so no hook of the user or the project runs"] : [];
    const runsShells = settings.found[SKILL_SHELLS] === false && basename(path) !== MANAGED;
    const shells = runsShells ? [`${SKILL_SHELLS} is false, so shell commands inside skills run`] : [];
    return [...off, ...shells, ...waysOfEnvironment(settings.found["env"], commands)].map((message) => ({
      isOpen: true,
      message: `${other}: ${message}`,
    }));
  });
}

function readOther(path: string): { readonly found: JsonObject } | OpenWay {
  try {
    return { found: parseSettings(readSettingsFile(path)) };
  } catch (error) {
    if (!(error instanceof CommandFailure)) throw error;
    return { isOpen: false, message: `not looked at, as Claude Code likely ignores it: ${error.message}` };
  }
}
