import { type Requirement, tested } from "./requirement.ts";

/** The page of an approval, for people. */
export const approvalPageRequirements: readonly Requirement[] = [
  tested("APR-40", "Reading the page of an approval, in any way, decides nothing."),
  tested("APR-41", "The page shows who asks for what and why, with every argument and the rule in words."),
  tested("APR-42", "The page approves, approves edited arguments and denies, and shows what a race left."),
  tested("APR-43", "The page takes no form of another site, login or approval, and none without its token."),
  tested(
    "APR-44",
    "Nobody decides on the page whose key may not through the API. Its login ends with the key.",
  ),
  tested("APR-45", "An API key that signs in stands in no address, log or page, and guesses are limited."),
  tested("APR-46", "Hostile names, values and reasons open no dialog in a browser and become no element."),
  tested("APR-47", "The page fits a phone, and works without script and with the keyboard alone."),
  tested("APR-48", "Many pages of one organization delay another one by the page under way at most."),
  tested("APR-76", "A login outlasts the time in which the store does not answer; the page says so."),
  tested(
    "APR-77",
    "A browser at the address of the server finds the approvals that wait, and nothing is logged as refused.",
  ),
];
