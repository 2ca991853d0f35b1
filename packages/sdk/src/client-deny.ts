import type { AllowVerdict, PauseVerdict } from "@svc/contract/verdict";
import type { HintedDeny } from "@svc/decision-client/hinted-deny";

/** A deny as this library gives it. */
export type ClientDeny = HintedDeny;

/** What the gateway answered, or a deny that stands for its answer. */
export type ClientVerdict = AllowVerdict | ClientDeny | PauseVerdict;
