import { type Requirement, tested } from "./requirement.ts";

/** Other systems that the audit log is written to, or that facts are read from. */
export const integrationRequirements: readonly Requirement[] = [
  tested(
    "INTG-01",
    "Integrations get every row of their organization in the order of its log, also after a kill -9, and " +
      "repeats have the same id.",
  ),
  tested("INTG-02", "A receiver by HTTP gets newline-delimited JSON, as rows or as events of OCSF."),
  tested(
    "INTG-03",
    "A collector gets rows as log records by OTLP, and none again that it refused by itself.",
  ),
  tested("INTG-04", "A receiver of syslog gets messages of RFC 5424 over TLS, with their octets counted."),
  tested("INTG-05", "Both stores keep how far each integration is, and one process changes it at a time."),
  tested(
    "INTG-06",
    "A batch that fails is sent again until it goes through, later and smaller as its receiver asks, and " +
      "stops its own integration alone.",
  ),
  tested("INTG-07", "A store of objects gets signed files, and checkpoints that cover their rows."),
  tested("INTG-08", "The facts of a repository are read with a token, and nothing is changed there."),
  tested("INTG-10", "The page about integrations shows samples that the code makes."),
  tested("INTG-11", "svc-cli lists, shows, makes, tests, changes and removes integrations."),
  tested("INTG-13", "What a receiver answers is shown without the secret that it was sent."),
  tested(
    "INTG-12",
    "No answer of a receiver takes memory, time or secrets: it is cut off, left or not followed.",
  ),
  tested("INTG-09", "No integration may call a forbidden address, or send its secret to another one."),
];
