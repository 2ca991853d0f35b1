/** One word of a shell. A word of harmless characters stays as it is. */
export function shellWord(word: string): string {
  return /^[A-Za-z0-9_./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}
