import { Plural, Trans } from '@lingui/react/macro'

/** Shows "3 friends" with a bold number. */
export function FriendCount({ count }: { count: number }) {
  return (
    <Plural
      value={count}
      one={
        <Trans>
          <b>#</b> friend
        </Trans>
      }
      other={
        <Trans>
          <b>#</b> friends
        </Trans>
      }
    />
  )
}
