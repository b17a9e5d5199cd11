import type { FieldValues, Resolver, ResolverError } from 'react-hook-form'
import { noResponse } from '#web/api/api-error.ts'

/** Returns a resolver that loads the form's rules at the first validation, so that the screen loads sooner. */
export function lazyResolver<Values extends FieldValues, Sent>(
  load: () => Promise<Resolver<Values, unknown, Sent>>,
): Resolver<Values, unknown, Sent> {
  return async (values, context, options) => {
    const rules = await load().catch(() => undefined)
    if (rules !== undefined) return rules(values, context, options)
    // The library's type of a root error requires nested errors. The library itself does not.
    const errors: unknown = { root: { type: 'server', message: noResponse() } }
    return { values: {}, errors: errors as ResolverError<Values>['errors'] }
  }
}
