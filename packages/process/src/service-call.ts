/** A call of one method of a service that another thread has. */
export interface ServiceCall {
  readonly method: string;
  readonly args: readonly unknown[];
}

/** The methods of a service, as another thread sees them: each call is one message each way. */
export type Remote<Service> = {
  readonly [Name in keyof Service as Service[Name] extends (...args: never) => unknown
    ? Name
    : never]: Service[Name] extends (...args: infer Args) => infer Value
    ? (...args: Args) => Promise<Awaited<Value>>
    : never;
};

/** Methods of which each call goes to `call`, beside some that this thread has itself. */
export function remote<Service, Own extends object = object>(
  call: (one: ServiceCall) => Promise<unknown>,
  own?: Own,
): Remote<Omit<Service, keyof Own>> & Own {
  return new Proxy((own ?? {}) as Remote<Omit<Service, keyof Own>> & Own, {
    get: (methods, method) => {
      // An `await` of the methods themselves asks for `then`.
      if (typeof method === "symbol" || method === "then" || Object.hasOwn(methods, method))
        return Reflect.get(methods, method) as unknown;
      return async (...args: readonly unknown[]) => call({ method, args });
    },
  });
}

/** Calls the method here. @throws when the service has none of that name, or what the method throws */
export async function callMethod(service: object, { method, args }: ServiceCall): Promise<unknown> {
  const called: unknown = Reflect.get(service, method);
  if (typeof called !== "function") throw new Error(`the service has no method ${method}`);
  return Reflect.apply(called, service, args);
}
