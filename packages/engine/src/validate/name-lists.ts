import { GOVERNANCE_MODES, type GovernanceMode } from "@svc/contract/verdict";
import { DETECTOR_NAMES, type DetectorName, SECRET_DETECTORS } from "../detectors/detector.ts";
import { ACTIONS, MASKS, REDACTION_AUDITS, type RedactionAudit } from "../policy-document.ts";
import type { NameList } from "./explain-name.ts";

export const ACTION_LIST: NameList<(typeof ACTIONS)[number]> = {
  kind: "action",
  names: ACTIONS,
  synonyms: new Map([
    ["approve", "require_approval"],
    ["approval", "require_approval"],
    ["requires_approval", "require_approval"],
    ["ask", "require_approval"],
    ["pause", "require_approval"],
    ["confirm", "require_approval"],
    ["escalate", "require_approval"],
    ["block", "deny"],
    ["reject", "deny"],
    ["forbid", "deny"],
    ["refuse", "deny"],
    ["stop", "deny"],
    ["permit", "allow"],
    ["accept", "allow"],
    ["mask", "redact"],
    ["hide", "redact"],
    ["anonymize", "redact"],
    ["limit", "constrain"],
    ["clamp", "constrain"],
    ["modify", "constrain"],
    ["rewrite", "constrain"],
    [
      "log",
      "write governance_mode: audit_only at the top of the document: it records calls and blocks nothing",
    ],
    [
      "audit",
      "write governance_mode: audit_only at the top of the document: it records calls and blocks nothing",
    ],
  ]),
};

export const MODE_LIST: NameList<GovernanceMode> = {
  kind: "governance mode",
  names: GOVERNANCE_MODES,
  synonyms: new Map([
    ["enforce", "enforcement"],
    ["enforced", "enforcement"],
    ["enforcing", "enforcement"],
    ["block", "enforcement"],
    ["audit", "audit_only"],
    ["log", "audit_only"],
    ["monitor", "audit_only"],
    ["observe", "audit_only"],
    ["dry_run", "shadow"],
    ["dryrun", "shadow"],
    ["test", "shadow"],
    ["off", "audit_only"],
  ]),
};

export const AUDIT_LIST: NameList<RedactionAudit> = {
  kind: "way to audit a redaction",
  names: REDACTION_AUDITS,
  synonyms: new Map([
    ["plain", "keep"],
    ["full", "keep"],
    ["none", "mask"],
    ["redact", "mask"],
    ["hide", "mask"],
  ]),
};

export const MASK_LIST: NameList<(typeof MASKS)[number]> = {
  kind: "mask",
  names: MASKS,
  synonyms: new Map([
    ["last_4", "last4"],
    ["partial", "last4"],
    ["sha256", "hash"],
    ["delete", "remove"],
    ["full", "leave the key mask out: the text is then replaced by [redacted]"],
    ["redact", "leave the key mask out: the text is then replaced by [redacted]"],
  ]),
};

export const DETECTOR_LIST: NameList<DetectorName> = {
  kind: "detector",
  names: DETECTOR_NAMES,
  synonyms: new Map<string, string>([
    ...DETECTOR_NAMES.map((name) => [name.slice(name.indexOf(".") + 1), name] as const),
    ["pii.mail", "pii.email"],
    ["ssn", "pii.us_ssn"],
    ["pii.ssn", "pii.us_ssn"],
    ["card", "pii.credit_card"],
    ["pii.card", "pii.credit_card"],
    ["secret.api_key", "secret.generic_api_key"],
    [
      "secret.password",
      "write secret.url_password or secret.connection_string; redact.fields hides an argument",
    ],
    ["pii", "name each detector: pii.email, pii.phone, pii.credit_card, pii.iban, pii.us_ssn"],
    ["secret", `name each detector: ${SECRET_DETECTORS.join(", ")}`],
  ]),
};
