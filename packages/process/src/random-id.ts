/** Random bytes of an identifier: 128 bits do not repeat and cannot be guessed. */
const ID_BYTES = 16;

/** `<prefix>_` and 32 hexadecimal digits. */
export function randomId(prefix: string): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return `${prefix}_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
