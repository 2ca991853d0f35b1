import { ListenError } from "@svc/http-edge/listen";

/** Waits for something to start. @throws with the variable that sets its address, when that is taken. */
export async function nameVariable<Started>(variable: string, starting: Promise<Started>): Promise<Started> {
  try {
    return await starting;
  } catch (error) {
    if (!(error instanceof ListenError)) throw error;
    throw new Error(`${variable}: ${error.message}`, { cause: error });
  }
}
