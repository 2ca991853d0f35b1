/** A request to a gateway inside this process. */
export interface InProcessRequest {
  /** From the root of the gateway. */
  readonly path: string;
  readonly body: string;
  readonly idempotencyKey: string | null;
  /** Of the client that asks. */
  readonly baseUrl: string;
  readonly hasKey: boolean;
}

/** What it rejects with is a fault, and so a deny. Its answers are read like those of any gateway. */
export type InProcessGateway = (request: InProcessRequest) => Promise<Response>;

/** The ids of decisions of test gateways: no other gateway has them. */
const TEST_DECISION = /^svc-test-[0-9a-z]+\.[0-9]+$/;

/** What follows from the decision of a test gateway never goes to another one. */
export function isTestDecision(decisionId: string): boolean {
  return TEST_DECISION.test(decisionId);
}

/** One place for every copy of this library in the process, whether imported or required. */
const PLACE = Symbol.for("@svc/client: gateway of a test");

interface Place {
  [PLACE]?: InProcessGateway;
}

const place = globalThis as Place;

/** Only `@svc/client/testing` puts a gateway here. While it is here, no request leaves the process. */
export function inProcessGateway(): InProcessGateway | null {
  return place[PLACE] ?? null;
}

/** @returns whether the place was free */
export function putInProcessGateway(gateway: InProcessGateway): boolean {
  if (place[PLACE] !== undefined) return false;
  place[PLACE] = gateway;
  return true;
}

/** Takes this gateway away, and no other one. */
export function takeInProcessGateway(gateway: InProcessGateway): void {
  if (place[PLACE] === gateway) delete place[PLACE];
}
