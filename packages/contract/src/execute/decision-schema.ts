import { z } from "zod";
import { DECISIONS, GOVERNANCE_MODES } from "./verdict.ts";

/** The three answers to a call. The record of a decision has the name that would suit. */
export const decisionSchema = z
  .enum(DECISIONS, { error: `expected one of ${DECISIONS.join(", ")}` })
  .meta({ id: "DecisionKind" });

export const governanceModeSchema = z
  .enum(GOVERNANCE_MODES, { error: `expected one of ${GOVERNANCE_MODES.join(", ")}` })
  .meta({ id: "GovernanceMode" });
