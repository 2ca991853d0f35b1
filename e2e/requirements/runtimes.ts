import { type Requirement, tested } from "./requirement.ts";

export const runtimeRequirements: readonly Requirement[] = [
  tested(
    "RUN-01",
    "The TypeScript library judges calls on Node, Deno, Bun and workers, and denies at every fault.",
  ),
  tested("RUN-02", "The TypeScript library refuses a proxy of the environment that could decide."),
];
