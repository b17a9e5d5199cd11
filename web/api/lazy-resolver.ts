import type { FieldValues, Resolver, ResolverError } from 'react-hook-form'
import { noResponse } from '#web/api/api-error.ts'

/** A form's rules that are fetched when they are first needed, so that its screen is there sooner. */
export function lazyResolver<Values extends FieldValues, Sent>(
  load: () => Promise<Resolver<Values, unknown, Sent>>,
): Resolver<Values, unknown, Sent> {
  return async (values, context, options) => {
    try {
      const rules = await load()
      return await rules(values, context, options)
    } catch {
      // The library's type of a root error also asks for errors below it; the library does not.
      const errors: unknown = { root: { type: 'server', message: noResponse } }
      return { values: {}, errors: errors as ResolverError<Values>['errors'] }
    }
  }
}
