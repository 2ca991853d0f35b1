import { ListenError } from "@svc/http-edge/listen";

export interface AddressVariables {
  /** Variables that set addresses; the first has a default. */
  readonly variables: readonly [string, ...string[]];
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Waits for something to start. @throws an error that names the variable of the address when the address is
 * taken: the variable that is set to it, else the first one.
 */
export async function nameVariable<Started>(
  { variables, env }: AddressVariables,
  starting: Promise<Started>,
): Promise<Started> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    const variable = variables.find((candidate) => env[candidate] === error.address) ?? variables[0];
    throw new Error(`${variable}: ${error.message}`, { cause: error });
  }
}
