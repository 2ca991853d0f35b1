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
];
