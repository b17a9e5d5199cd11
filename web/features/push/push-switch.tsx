import { t } from '@lingui/core/macro'
import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { notificationTimes } from '#contract/constants.ts'
import { useAction } from '#web/api/use-action.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { ActionFailure } from '#web/ui/action-failure.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { Row } from '#web/ui/layout.tsx'
import { useSiteName } from '#web/ui/site-name.tsx'
import { Switch } from '#web/ui/switch.tsx'
import { type PushState, pushState, pushStateKey, startPush, stopPush } from './push.ts'
import css from './push-switch.module.css'

const pushStateQuery = queryOptions({
  queryKey: pushStateKey,
  queryFn: ({ client }) => pushState(client),
  staleTime: 0,
})

const { from, to } = notificationTimes.quiet

function hintOf(state: PushState, site: string): string {
  switch (state) {
    case 'on':
      return t`A notification comes here when something fits your wish list, somebody writes to you or a trade goes on. Between ${from}:00 and ${to}:00 it waits, unless it is about a pickup that is soon.`
    case 'off':
      return t`A notification comes here when something fits your wish list, somebody writes to you or a trade goes on.`
    case 'denied':
      return t`This browser blocks our notifications. Its settings for this page can change that.`
    case 'unsupported':
      return t`This browser can not show notifications while no page is open. On an iPhone or iPad, tap Share, then Add to Home Screen, and open ${{ site }} from there.`
  }
}

/** Switches push messages on or off for this browser. Requests the permission only when it is pressed. */
export function PushSwitch() {
  const client = useQueryClient()
  const site = useSiteName()
  const { data: state } = useQuery(pushStateQuery)
  const change = useAction((on: boolean) => (on ? startPush(client) : stopPush(client)), {
    onSuccess: (now) => client.setQueryData(pushStateQuery.queryKey, now),
    onError: (failure) => {
      console.info('Push was not changed:', failure)
      void client.invalidateQueries({ queryKey: pushStateQuery.queryKey })
    },
  })
  if (state === undefined) return null
  const name = t`Tell me on this device`
  return (
    <Row className={classNames(layout.above5, css.push)}>
      <div>
        <h2 className={css.name}>{name}</h2>
        <p className={classNames(text.body2, text.muted, css.hint)}>{hintOf(state, site)}</p>
        <ActionFailure>{change.failure}</ActionFailure>
      </div>
      {(state === 'on' || state === 'off') && (
        <Switch
          label={
            state === 'on'
              ? t({ message: 'on', context: 'switch' })
              : t({ message: 'off', context: 'switch' })
          }
          name={name}
          checked={state === 'on'}
          pending={change.isPending}
          onChange={(on) => change.mutate(on)}
        />
      )}
    </Row>
  )
}
