import { type Requirement, tested } from "./requirement.ts";

/** What namespaces and their settings promise. */
export const namespaceRequirements: readonly Requirement[] = [
  tested("NS-01", "A namespace is created, changed and removed, each change with an audit row."),
  tested(
    "NS-02",
    "A namespace that an assignment, an active switch, a key or a registered agent names is not removed.",
  ),
  tested("NS-03", "The namespace default exists without being created and cannot be removed."),
  tested("NS-04", "A namespace has the default rogue-detection settings until others are set."),
  tested("NS-05", "Rogue-detection settings that contradict each other are refused by the field."),
];
