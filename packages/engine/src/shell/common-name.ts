/** The program that some system runs by this name: case and the ending of executables may not count. */
export function commonName(name: string): string {
  return name.toLowerCase().replace(/\.(?:exe|com|cmd|bat)$/, "");
}
