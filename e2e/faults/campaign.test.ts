// peers: postgres
// long: it pauses, kills and cuts off three gateways and their PostgreSQL under calls
// alone: it keeps three gateways and their database busy
import { randomInt } from "node:crypto";
import { writeFileSync } from "node:fs";
import { findPostgresPrograms } from "@svc/process/find-postgres-programs";
import { expect, it } from "vitest";
import { runCampaign } from "./campaign.ts";
import { judgeTrace } from "./judge/judge-trace.ts";
import { planFaults, SHORT, WHOLE } from "./plan.ts";
import { renderFigures } from "./render-figures.ts";
import { GATEWAY_IDS } from "./stage.ts";

/** Milliseconds after a fault in which each gateway that it struck must allow calls again. */
const BACK_WITHIN_MS = 5_000;

/**
 * What the short form adds to that, in milliseconds: other tests and their builds run on the same cores, and
 * the start of a process takes several times longer then.
 */
const BUSY_MS = 10_000;

/** `npm run faults` runs the whole campaign. */
const isWhole = process.env["SVC_FAULTS"] === "whole";

/** `npm run faults:network` lets the kernel drop the packets of frozen links. */
const freezing = process.env["SVC_FAULTS_LINKS"] === "dropped" ? "dropped packets" : "held bytes";

const TIMEOUT_MS = isWhole ? 60 * 60_000 : 120_000;

/** The short form has one plan, so that it says the same of the same code. */
const SHORT_SEED = 1;

function chosenSeed(): number {
  const given = process.env["SVC_FAULTS_SEED"];
  if (given === undefined) return isWhole ? randomInt(2 ** 31) : SHORT_SEED;
  const seed = Number(given);
  if (!Number.isSafeInteger(seed)) throw new Error(`SVC_FAULTS_SEED: expected an integer, found ${given}`);
  return seed;
}

const isAbsent = findPostgresPrograms() === null && process.env["CI"] === undefined;

// proves STATE-15, STATE-16, STATE-17
// skip: the machine has no PostgreSQL; continuous integration has it and fails without.
it.skipIf(isAbsent)("no fault makes a gateway break a promise", { timeout: TIMEOUT_MS }, async () => {
  const seed = chosenSeed();
  process.stderr.write(`faults: repeat this plan with SVC_FAULTS_SEED=${String(seed)}\n`);
  const result = await runCampaign(planFaults(isWhole ? WHOLE : SHORT, GATEWAY_IDS, seed), seed, freezing);
  const file = process.env["SVC_FAULTS_TRACE"];
  if (file !== undefined) writeFileSync(file, JSON.stringify({ trace: result.trace, logs: result.logs }));
  const judgement = judgeTrace(result.trace, result.records, BACK_WITHIN_MS + (isWhole ? 0 : BUSY_MS));
  process.stderr.write(`${renderFigures(result, judgement)}\n`);
  expect(judgement.findings).toEqual([]);
  for (const [name, count] of Object.entries(judgement.judged))
    expect([name, count > 0]).toEqual([name, true]);
});
