import type { ComponentProps } from 'react'
import { PageHead } from '#web/ui/page.tsx'
import { Bell } from './bell.tsx'

/** The title row of a member's screen, with the bell on a phone. */
export function MemberHead({ action, ...head }: ComponentProps<typeof PageHead>) {
  return (
    <PageHead
      {...head}
      action={
        <>
          {action}
          <Bell />
        </>
      }
    />
  )
}
