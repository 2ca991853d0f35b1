import { type Requirement, tested } from "./requirement.ts";

/** Who is told what happens: chats, pagers and mailboxes. */
export const channelRequirements: readonly Requirement[] = [
  tested("CHAN-01", "A notice says what happened, what follows from it, and where to look."),
  tested(
    "CHAN-02",
    "A message for a chat has less than 8,000 characters, no markup in text of others, and no button.",
  ),
  tested("CHAN-03", "An event for PagerDuty is within its limits, and what ends resolves what it opened."),
  tested("CHAN-04", "A mail has one line of subject, and no text of others in it is markup."),
];
