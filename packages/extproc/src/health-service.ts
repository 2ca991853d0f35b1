import { type ServerUnaryCall, type ServerWritableStream, type sendUnaryData, status } from "@grpc/grpc-js";

interface HealthRequest {
  readonly service?: string;
}

interface HealthAnswer {
  readonly status: "SERVING" | "NOT_SERVING" | "SERVICE_UNKNOWN";
}

type WatchCall = ServerWritableStream<HealthRequest, HealthAnswer>;

/** The standard health service of gRPC: serving until `stopServing`. */
export interface HealthService {
  readonly check: (
    call: ServerUnaryCall<HealthRequest, HealthAnswer>,
    answer: sendUnaryData<HealthAnswer>,
  ) => void;
  readonly watch: (call: WatchCall) => void;
  /** Notifies every watcher, and ends their streams. */
  stopServing(): void;
}

export function createHealthService(serviceName: string): HealthService {
  const watchers = new Set<WatchCall>();
  let serving = true;
  const isKnown = ({ service = "" }: HealthRequest): boolean => service === "" || service === serviceName;
  const current = (): HealthAnswer => ({ status: serving ? "SERVING" : "NOT_SERVING" });
  return {
    check: (call, answer) => {
      if (isKnown(call.request)) answer(null, current());
      else answer({ code: status.NOT_FOUND, details: "no such service" });
    },
    watch: (call) => {
      watchers.add(call);
      call.on("cancelled", () => watchers.delete(call));
      call.write(isKnown(call.request) ? current() : { status: "SERVICE_UNKNOWN" });
    },
    stopServing: () => {
      serving = false;
      for (const call of watchers) {
        call.write(current());
        call.end();
      }
      watchers.clear();
    },
  };
}
