import { isJsonObject, type JsonObject, type JsonValue } from "@svc/text/json-value";
import { isHookCommand } from "./installed-command.ts";

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

export function hooksObject(settings: JsonObject): JsonObject {
  const hooks = settings["hooks"];
  return isJsonObject(hooks) ? hooks : {};
}

export function eventsOf(settings: JsonObject): readonly (readonly [string, readonly JsonValue[]])[] {
  return Object.keys(hooksObject(settings)).map((event) => [event, listAt(settings, event)]);
}

export function listAt(settings: JsonObject, event: string): readonly JsonValue[] {
  const groups = hooksObject(settings)[event];
  return Array.isArray(groups) ? (groups as readonly JsonValue[]) : [];
}

export function hooksIn(group: JsonValue): readonly JsonValue[] {
  const hooks = isJsonObject(group) ? group["hooks"] : undefined;
  return Array.isArray(hooks) ? (hooks as readonly JsonValue[]) : [];
}
