/** The words of a text that has one space between two. */
export function wordList(text: string): readonly string[] {
  return text.split(" ");
}
