/** Milliseconds with one decimal, for figures. */
export const rounded = (ms: number): number => Math.round(ms * 10) / 10;
