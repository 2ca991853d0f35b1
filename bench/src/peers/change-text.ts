/** A text that must be there, and the text that replaces it. */
export type TextChange = readonly [from: string | RegExp, to: string];

/** @throws when a text is not there: the benchmark must measure the shipped configuration. */
export function changeText(text: string, changes: readonly TextChange[]): string {
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    if (next === changed) throw new Error(`the shipped configuration lacks ${String(from)}`);
    return next;
  }, text);
}
