/** Folders in which a program is what its name says. */
const SYSTEM_PROGRAM = /^(?:\/(?:usr\/(?:local\/)?)?s?bin\/|\/opt\/homebrew\/bin\/)?[^/]+$/;

/** Whether a program is found by its name alone, or stands in a folder of the system. */
export function isSystemProgram(program: string): boolean {
  return SYSTEM_PROGRAM.test(program);
}
