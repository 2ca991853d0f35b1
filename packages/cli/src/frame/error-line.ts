import { printable } from "@svc/process/printable";

/** A message on a line of its own, as every command writes it. */
export function errorLine(message: string): string {
  return `error: ${shownText(message)}\n`;
}

/** The text without control characters, and without the user and the password of an address in it. */
export function shownText(text: string): string {
  return printable(text).replace(/(?<=:\/\/)[^\s/"']*@/g, "***@");
}
