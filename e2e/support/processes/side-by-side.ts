/**
 * Waits for parts of one test that wait for something themselves. It rejects only when each of them has
 * ended, so that none starts a process after the test.
 */
export async function sideBySide(...parts: readonly Promise<void>[]): Promise<void> {
  await Promise.allSettled(parts);
  await Promise.all(parts);
}
