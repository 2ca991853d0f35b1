import { editSettings, indentOf } from "./edit-settings.ts";
import { parseSettings } from "./parse-settings.ts";

/**
 * The setting that keeps shell commands inside skills and custom slash commands from running. Claude Code
 * runs them while it loads a skill, with arguments that the model chose, and asks no hook.
 */
export const SKILL_SHELLS = "disableSkillShellExecution";

/** The text of settings with the shell commands of skills turned off; all else stays as it is. */
export function withoutSkillShells(text: string): string {
  return parseSettings(text)[SKILL_SHELLS] === true
    ? text
    : editSettings(text, [SKILL_SHELLS], true, indentOf(text));
}
