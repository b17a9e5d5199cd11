import { t } from '@lingui/core/macro'
import { Fragment } from 'react'

/** Returns the name of an unknown member. */
export const unknownMember = () => t`Unknown user`

/** Renders a username that can break after each underscore, in its own direction. */
export function Username({ name }: { name: string }) {
  const parts = name.split(/(?<=_)/)
  return (
    <bdi>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name keep their order, and two may be the same.
        <Fragment key={index}>
          {index > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </bdi>
  )
}
