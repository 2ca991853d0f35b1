/** The same text in memory of its own. A piece of a body would keep the whole body in memory. */
export function ownText(text: string): string {
  return JSON.parse(JSON.stringify(text)) as string;
}
