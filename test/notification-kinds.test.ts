import { expectTypeOf, test } from 'vitest'
import type { DeclaredKind } from '#server/features.ts'
import type { kindRows } from '#web/features/notifications/notification-kinds.tsx'

/** Compiles only if there is a row for every kind that the features of the server declare. */
type Complete<Rows extends Record<DeclaredKind, unknown>> = Rows

test('the client has a row for every kind that the server declares, and for no other', () => {
  expectTypeOf<Complete<typeof kindRows>>()
  expectTypeOf<keyof typeof kindRows>().toExtend<DeclaredKind>()
})

test('a kind without a row does not compile', () => {
  // @ts-expect-error The row is missing.
  expectTypeOf<Complete<Omit<typeof kindRows, 'price_dropped'>>>()
})
