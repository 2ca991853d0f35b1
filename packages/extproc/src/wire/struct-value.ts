/** A google.protobuf.Value as the loader decodes it. */
export interface WireValue {
  readonly string_value?: string;
  readonly struct_value?: WireStruct;
}

export interface WireStruct {
  readonly fields?: Readonly<Record<string, WireValue>>;
}

/** Where Envoy puts the attributes that its configuration lists under `request_attributes`. */
const ATTRIBUTE_NAMESPACE = "envoy.filters.http.ext_proc";

/** The attributes of a request that are texts, by name. All others count as absent. */
export function readAttributes(
  attributes: Readonly<Record<string, WireStruct>> = {},
): ReadonlyMap<string, string> {
  const fields = Object.hasOwn(attributes, ATTRIBUTE_NAMESPACE)
    ? attributes[ATTRIBUTE_NAMESPACE]?.fields
    : undefined;
  const texts = Object.entries(fields ?? {}).flatMap(([name, { string_value: text }]) =>
    text === undefined ? [] : [[name, text] as const],
  );
  return new Map(texts);
}
