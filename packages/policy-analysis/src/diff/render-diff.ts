import type { PolicyChange } from "@svc/contract/policy-change";
import type { JsonValue } from "@svc/text/json-value";

const SIGNS = { added: "+", removed: "-", changed: "~", moved: ">" } as const;

/** Renders changes for a terminal, one line each: sign, path, what was and what is. */
export function renderChanges(changes: readonly PolicyChange[]): string {
  return changes.map((change) => `${SIGNS[change.kind]} ${change.path}${sides(change)}\n`).join("");
}

function sides({ kind, before, after }: PolicyChange): string {
  switch (kind) {
    case "added":
      return `: ${textOf(after)}`;
    case "removed":
      return `: ${textOf(before)}`;
    case "changed":
      return `: ${textOf(before)} -> ${textOf(after)}`;
    case "moved":
      return `: place ${textOf(before)} -> ${textOf(after)}`;
  }
}

/** In printable ASCII, so that look-alikes and control characters show. */
function textOf(value: JsonValue): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
