import { relative } from "node:path";
import { isLongRun } from "@svc/text/testing/runs";
import fc from "fast-check";
import { expect } from "vitest";

/** 32-bit FNV-1a, so that similar names give distant seeds. */
const FNV = { offset: 0x81_1c_9d_c5, prime: 0x01_00_01_93 } as const;

function seedOf(text: string): number {
  let hash: number = FNV.offset;
  for (const byte of Buffer.from(text)) hash = Math.imul(hash ^ byte, FNV.prime);
  return hash | 0;
}

// In npm test a property meets the same values each time, so that a failure comes from the change at hand.
// The long run looks for new values; a counterexample that it finds becomes an example of its property.
const path = relative(process.cwd(), expect.getState().testPath ?? "");
const { seed: _, ...rest } = fc.readConfigureGlobal();
fc.configureGlobal(isLongRun ? rest : { ...rest, seed: seedOf(path) });
