/**
 * Frameworks set no deadline of their own for a hook.
 * @throws Error when nothing came within the time; what comes later is dropped.
 */
export async function withinDeadline<Value>(asking: Promise<Value>, timeoutMs: number): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`nothing came within ${String(timeoutMs)} ms`)), timeoutMs);
  });
  try {
    return await Promise.race([asking, late]);
  } finally {
    clearTimeout(timer);
  }
}
