/** A text that must be there, and what stands there instead. */
export type TextChange = readonly [from: string | RegExp, to: string];

/** @throws when a text is not there: what is measured must be the shipped configuration. */
export function changeText(text: string, changes: readonly TextChange[]): string {
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replace(from, to);
    if (next === changed) throw new Error(`the shipped configuration lacks ${String(from)}`);
    return next;
  }, text);
}
