import { type Requirement, tested } from "./requirement.ts";

/** What agents, sessions, tools and namespaces may be called. */
export const nameRequirements: readonly Requirement[] = [
  tested("NAME-01", "A name is 1 to 256 bytes of printable text: spaces, signs and letters of every script."),
  tested(
    "NAME-02",
    "A name is refused with its code point and a fix: not NFC, unseen or blank characters, mixed scripts, *.",
  ),
  tested(
    "NAME-03",
    "47 spellings of real systems pass policies, headers, switches and clients, and are rows as they came.",
  ),
  tested("NAME-04", "A kill switch also stops names that look like its target in another script."),
  tested("NAME-05", "Two names in ASCII never count as look-alikes."),
  tested(
    "NAME-06",
    "A name that looks like one of a registration, a binding or the policy is denied as `confusable`.",
  ),
  tested("NAME-07", "A name in a header is percent-decoded exactly once."),
  tested(
    "NAME-08",
    "Bytes above 0x7E, a comma and a stray percent sign in the header of a name are refused.",
  ),
  tested(
    "NAME-09",
    "A registration of an agent or a namespace that looks like a known name is refused at its field.",
  ),
  tested(
    "NAME-10",
    "Every dash looks like -, every connecting character like _, a raised or wide letter like the letter.",
  ),
];
