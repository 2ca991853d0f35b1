import { Client } from "pg";
import { onTestFinished, vi } from "vitest";

type Send = (...statement: readonly unknown[]) => Promise<unknown>;

/**
 * Calls `onSend` before a statement goes to PostgreSQL by its own connection, and `onAnswer` when it has been
 * answered. @returns what ends it; the end of the test does so, too
 */
export function watchStatements(
  onSend: (name: string | null) => void,
  onAnswer: () => void = () => undefined,
): () => void {
  const send = Reflect.get(Client.prototype, "query") as Send;
  const watched = function (this: Client, ...of: readonly unknown[]): Promise<unknown> {
    const [statement] = of;
    const isNamed = typeof statement === "object" && statement !== null && "name" in statement;
    onSend(isNamed && typeof statement.name === "string" ? statement.name : null);
    return Reflect.apply(send, this, of).finally(onAnswer);
  };
  const spy = vi.spyOn(Client.prototype, "query");
  // The types know only its form with a callback.
  Reflect.apply(Reflect.get(spy, "mockImplementation"), spy, [watched]);
  const stop = (): void => spy.mockRestore();
  onTestFinished(stop);
  return stop;
}
