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
  tested("CHAN-05", "One message a minute about a condition stands for all its events, and none is lost."),
  tested("CHAN-06", "A channel is made, tested, replaced and removed, and its address is never shown."),
  tested("CHAN-07", "Namespaces and workflows name channels, or have entries that get one of their own."),
  tested(
    "CHAN-08",
    "Mail reaches a server of SMTP, encrypted as the settings demand, by the outbound rules.",
  ),
  tested(
    "CHAN-09",
    "Approvals go to the channels of their workflow, other events to those of the namespace.",
  ),
  tested("CHAN-10", "Each kind of channel gets what its service takes, and its refusals are understood."),
  tested("CHAN-11", "People are told on both stores, also of what happened before a kill -9."),
  tested("CHAN-12", "A channel whose address may not be called is refused when it is registered."),
  tested("CHAN-13", "svc-cli lists, makes, tests and removes channels."),
];
