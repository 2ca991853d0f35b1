/** A text of the shipped file, and its replacement. */
export type Replacement = readonly [from: RegExp, to: string];

/**
 * A shipped configuration with other addresses and nothing else changed. @throws if an address is not in it,
 * because the demonstration would then not run the shipped configuration.
 */
export function withAddresses(file: string, text: string, replacements: readonly Replacement[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (changed.search(from) < 0) throw new Error(`${file}: expected ${from.source}, found none`);
    return changed.replace(from, to);
  }, text);
}
