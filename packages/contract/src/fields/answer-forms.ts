import { type ZodLiteral, type ZodObject, z } from "zod";

type Forms = readonly [ZodObject, ZodObject, ...ZodObject[]];

interface FormsMeta {
  readonly id: string;
  readonly description: string;
}

/**
 * An answer of several forms. Each value of `property` names one form, here and in the description of the
 * API: without that, generated clients try one form after the other, and take the first that seems to fit.
 */
export function answerForms<const Property extends string, const Given extends Forms>(
  property: Property,
  forms: Given,
  meta: FormsMeta,
) {
  const mapping = Object.fromEntries(
    forms.map((form) => {
      const { value } = form.shape[property] as ZodLiteral<string>;
      return [value, `#/components/schemas/${String(z.globalRegistry.get(form)?.id)}`];
    }),
  );
  const discriminator = { propertyName: property, mapping };
  return z.discriminatedUnion(property, forms).meta({ ...meta, discriminator });
}
