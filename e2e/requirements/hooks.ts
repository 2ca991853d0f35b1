import { type Requirement, tested } from "./requirement.ts";

export const hookRequirements: readonly Requirement[] = [
  tested(
    "CODE-01",
    "svc-cli hook claude-code ends with 0 only for an allow that was written whole, else with 2.",
  ),
  tested(
    "CODE-02",
    "The hook hands verdicts over: silence, updatedInput, or a block; a pause is a block, too.",
  ),
  tested("CODE-03", "The outcome of a call that the hook allowed is reported to the gateway."),
  tested(
    "CODE-04",
    "svc-cli hook install shows its change, keeps all other settings, and can be taken back.",
  ),
  tested("CODE-05", "The installed command blocks a call when its program is missing, fails or is killed."),
  tested("CODE-06", "svc-cli hook status runs the installed command, and names settings that let calls run."),
];
