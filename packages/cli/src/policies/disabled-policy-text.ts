import { shellWord } from "../frame/shell-word.ts";

/** The command that enables a policy. */
export function enableText(id: string): string {
  return `svc-cli policies enable ${shellWord(id)} --reason "..."`;
}

/** What a disabled policy stops, and how it is enabled. */
export function disabledPolicyText(id: string): string {
  return `policy ${id} is disabled, so every call that it governs is denied: ${enableText(id)}`;
}
