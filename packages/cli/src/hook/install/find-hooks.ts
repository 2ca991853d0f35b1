import { canonicalJson } from "@svc/text/canonical-json";
import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import type { JSONPath } from "jsonc-parser";
import { editSettings, indentOf } from "./edit-settings.ts";
import { type HookGroups, isHookCommand } from "./installed-command.ts";
import { parseSettings } from "./settings-file.ts";

/** Every hook of ours in the settings, with its event and the group that it stands in. */
export function hooksOfOurs(settings: JsonObject): readonly FoundHook[] {
  return eventsOf(settings).flatMap(([event, groups]) =>
    groups.flatMap((group, index) =>
      hooksIn(group).flatMap((hook, place) => {
        const command = isJsonObject(hook) ? hook["command"] : undefined;
        if (!isJsonObject(hook) || !isHookCommand(command)) return [];
        return [{ event, group, hook, command, path: ["hooks", event, index], place }];
      }),
    ),
  );
}

export interface FoundHook {
  readonly event: string;
  readonly group: JsonValue;
  readonly hook: JsonObject;
  readonly command: string;
  readonly path: readonly (string | number)[];
  readonly place: number;
}

function hooksObject(settings: JsonObject): JsonObject {
  const hooks = settings["hooks"];
  return isJsonObject(hooks) ? hooks : {};
}

function eventsOf(settings: JsonObject): readonly (readonly [string, readonly JsonValue[]])[] {
  return Object.keys(hooksObject(settings)).map((event) => [event, listAt(settings, event)]);
}

function listAt(settings: JsonObject, event: string): readonly JsonValue[] {
  const groups = hooksObject(settings)[event];
  return Array.isArray(groups) ? (groups as readonly JsonValue[]) : [];
}

export function hooksIn(group: JsonValue): readonly JsonValue[] {
  const hooks = isJsonObject(group) ? group["hooks"] : undefined;
  return Array.isArray(hooks) ? (hooks as readonly JsonValue[]) : [];
}

/** The text with the given hooks in place of those of ours that it holds; all else stays as it is. */
export function withHooks(text: string, groups: HookGroups): string {
  let changed = withoutHooks(text, groups);
  const indent = indentOf(text);
  for (const [event, group] of Object.entries(groups)) {
    const path = groupOf(parseSettings(changed), event) ?? ["hooks", event, -1];
    changed = editSettings(changed, path, group, indent);
  }
  assertOnlyOurs(text, changed);
  return changed;
}

/**
 * The text without the hooks of ours; those of `kept` that stand in a group of their own stay.
 * Lists and objects that become empty go, too.
 */
export function withoutHooks(text: string, kept: HookGroups = {}): string {
  let changed = text;
  const indent = indentOf(text);
  for (let path = nextOf(changed, kept); path !== null; path = nextOf(changed, kept))
    changed = editSettings(changed, path, undefined, indent);
  assertOnlyOurs(text, changed);
  return changed;
}

/** What the next edit removes: a hook, or with the last hook its group, list and object. */
function nextOf(text: string, kept: HookGroups): JSONPath | null {
  const settings = parseSettings(text);
  const seen = new Set<string>();
  for (const { event, group, path, place } of hooksOfOurs(settings)) {
    const isAlone = hooksIn(group).length === 1;
    const isKept = isAlone && Object.hasOwn(kept, event) && !seen.has(event);
    seen.add(event);
    if (isKept) continue;
    if (!isAlone) return [...path, "hooks", place];
    const isLastGroup = listAt(settings, event).length === 1;
    if (!isLastGroup) return [...path];
    return Object.keys(hooksObject(settings)).length === 1 ? ["hooks"] : ["hooks", event];
  }
  return null;
}

function groupOf(settings: JsonObject, event: string): JSONPath | null {
  const own = hooksOfOurs(settings).find(
    (found) => found.event === event && hooksIn(found.group).length === 1,
  );
  return own === undefined ? null : [...own.path];
}

/** @throws a defect if an edit changed more than hooks of ours */
function assertOnlyOurs(before: string, after: string): void {
  const bare = (text: string): string => canonicalJson(withoutOurs(parseSettings(text)));
  if (bare(before) !== bare(after))
    throw new Error("the edit would change other settings, so nothing was written");
}

/** The same settings as a value, without hooks of ours, and without what is then empty. */
function withoutOurs(settings: JsonObject): JsonObject {
  if (settings["hooks"] === undefined) return settings;
  const events = eventsOf(settings).flatMap(([event, groups]) => {
    const left = groups.flatMap((group) => {
      const all = hooksIn(group);
      const others = all.filter((hook) => !(isJsonObject(hook) && isHookCommand(hook["command"])));
      if (all.length === others.length) return [group];
      return others.length === 0 || !isJsonObject(group) ? [] : [{ ...group, hooks: others }];
    });
    return left.length === 0 ? [] : [[event, left] as const];
  });
  const { hooks: _, ...rest } = settings;
  return events.length === 0 ? rest : { ...rest, hooks: Object.fromEntries(events) };
}

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
