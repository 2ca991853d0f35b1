import { type HeaderList, readHeaderList, type WireHeader } from "./header-list.ts";
import { readAttributes, type WireStruct } from "./struct-value.ts";

/** How the proxy sends a body to this adapter. A number is an unknown mode. */
export type BodyMode =
  | "NONE"
  | "STREAMED"
  | "BUFFERED"
  | "BUFFERED_PARTIAL"
  | "FULL_DUPLEX_STREAMED"
  | "GRPC"
  | number;

/** The two legs of an HTTP exchange. */
export type Direction = "request" | "response";

interface WireHeaderMap {
  readonly headers?: readonly WireHeader[];
}

interface WireHeaders {
  readonly headers?: WireHeaderMap;
  readonly end_of_stream?: boolean;
}

interface WireBody {
  readonly body?: Uint8Array;
  readonly end_of_stream?: boolean;
}

interface WireTrailers {
  readonly trailers?: WireHeaderMap;
}

/** A ProcessingRequest as the loader decodes it: absent is zero, `request` names the member that is set. */
export interface WireRequest {
  readonly request?: string;
  readonly request_headers?: WireHeaders;
  readonly response_headers?: WireHeaders;
  readonly request_body?: WireBody;
  readonly response_body?: WireBody;
  readonly request_trailers?: WireTrailers;
  readonly response_trailers?: WireTrailers;
  readonly attributes?: Readonly<Record<string, WireStruct>>;
  readonly observability_mode?: boolean;
  readonly protocol_config?: {
    readonly request_body_mode?: BodyMode;
    readonly response_body_mode?: BodyMode;
  };
}

/** One part of the HTTP exchange. */
export type Part =
  | {
      readonly kind: "headers";
      readonly direction: Direction;
      readonly headers: HeaderList;
      readonly last: boolean;
    }
  | {
      readonly kind: "body";
      readonly direction: Direction;
      readonly bytes: Uint8Array;
      readonly last: boolean;
    }
  | { readonly kind: "trailers"; readonly direction: Direction; readonly names: readonly string[] };

/** One message of the proxy. */
export interface Incoming {
  /** Null when the message holds no known part. */
  readonly part: Part | null;
  /** The proxy only observes: no answer takes effect. */
  readonly observed: boolean;
  /** Body modes by direction; null when the message says nothing about them. */
  readonly modes: Readonly<Record<Direction, BodyMode>> | null;
  readonly attributes: ReadonlyMap<string, string>;
}

const NOTHING = new Uint8Array(0);

export function readProcessingRequest(message: WireRequest): Incoming {
  const { protocol_config: modes } = message;
  return {
    part: partOf(message),
    observed: message.observability_mode === true,
    modes:
      modes === undefined || modes === null
        ? null
        : { request: modes.request_body_mode ?? "NONE", response: modes.response_body_mode ?? "NONE" },
    attributes: readAttributes(message.attributes),
  };
}

function partOf(message: WireRequest): Part | null {
  switch (message.request) {
    case "request_headers":
      return headersPart("request", message.request_headers);
    case "response_headers":
      return headersPart("response", message.response_headers);
    case "request_body":
      return bodyPart("request", message.request_body);
    case "response_body":
      return bodyPart("response", message.response_body);
    case "request_trailers":
      return trailersPart("request", message.request_trailers);
    case "response_trailers":
      return trailersPart("response", message.response_trailers);
    default:
      return null;
  }
}

function headersPart(direction: Direction, wire: WireHeaders = {}): Part {
  const headers = readHeaderList(wire.headers?.headers);
  return { kind: "headers", direction, headers, last: wire.end_of_stream === true };
}

function bodyPart(direction: Direction, { body = NOTHING, end_of_stream: last }: WireBody = {}): Part {
  return { kind: "body", direction, bytes: body, last: last === true };
}

function trailersPart(direction: Direction, { trailers }: WireTrailers = {}): Part {
  return { kind: "trailers", direction, names: [...readHeaderList(trailers?.headers).keys()] };
}
