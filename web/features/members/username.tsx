import { Fragment } from 'react'

/** The name of an unknown member. */
export const unknownMember = 'Unknown user'

/** Renders a username that can break after each underscore. */
export function Username({ name }: { name: string }) {
  const parts = name.split(/(?<=_)/)
  return parts.map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name keep their order, and two may be the same.
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}
