import { MAX_COST_MICRO_USD } from "./limits.ts";

/**
 * Micro-USD in one USD. Money is an integer of micro-USD everywhere inside; decimals live on the wire only.
 */
export const MICRO_USD_PER_USD = 1_000_000;

/** Amounts as text, as a pattern. */
export const USD_PATTERN = "^(?:(?:0|[1-9][0-9]{0,8})(?:\\.[0-9]{1,6})?|1000000000(?:\\.0{1,6})?)$";

const DECIMAL = /^(0|[1-9][0-9]{0,9})(?:\.([0-9]{1,6}))?$/;

/** What an amount must be, for the people who read a refusal. */
export const USD_EXPECTATION =
  "a decimal of USD from 0 to 1000000000 with at most 6 decimals, as number or string";

/**
 * Reads a decimal amount of USD exactly. Numbers are read through their shortest decimal form, so 0.1 is
 * 100,000.
 * @returns integer micro-USD, or null when the value is not such an amount (negative, with an exponent, too
 * precise or too large).
 */
export function parseUsd(value: unknown): number | null {
  const text = typeof value === "number" ? numberText(value) : value;
  if (typeof text !== "string") return null;
  const match = DECIMAL.exec(text);
  if (match === null) return null;
  const fraction = (match[2] ?? "").padEnd(6, "0");
  const microUsd = Number(match[1]) * MICRO_USD_PER_USD + Number(fraction);
  return microUsd <= MAX_COST_MICRO_USD ? microUsd : null;
}

/** Writes micro-USD as the shortest decimal text of USD: 1500000 is "1.5". */
export function formatUsd(microUsd: number): string {
  if (microUsd === 0) return "0";
  const sign = microUsd < 0 ? "-" : "";
  const size = Math.abs(microUsd);
  const fraction = String(size % MICRO_USD_PER_USD)
    .padStart(6, "0")
    .replace(/0+$/, "");
  const whole = String(Math.floor(size / MICRO_USD_PER_USD));
  return fraction === "" ? `${sign}${whole}` : `${sign}${whole}.${fraction}`;
}

/** The shortest decimal form without an exponent; JavaScript writes 0.000001 plainly and 1e-7 with one. */
function numberText(value: number): string | null {
  return Number.isFinite(value) && value >= 0 && !Object.is(value, -0) ? String(value) : null;
}
