/** One page of a list. */
interface Page {
  readonly next_cursor: string | null;
}

/** The pages of a list, from the first to the last. */
export async function* everyPage<Body extends Page>(
  ask: (cursor: string | undefined) => Promise<{ readonly body: Body }>,
): AsyncGenerator<Body> {
  for (let cursor: string | undefined; ; ) {
    const { body } = await ask(cursor);
    yield body;
    if (body.next_cursor === null) return;
    cursor = body.next_cursor;
  }
}
