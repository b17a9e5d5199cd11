import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { Link, useHydrated, useLocation } from '@tanstack/react-router'
import { toldQuery } from '#web/features/matches/match-queries.ts'
import { seasonalWants } from '#web/features/wants/seasonal-wants.ts'
import { myWantsQuery } from '#web/features/wants/want-queries.ts'
import { region } from '#web/i18n/region.ts'
import text from '#web/styles/text.module.css'
import { ButtonLink } from '#web/ui/button.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import css from './after-posting.module.css'

/** The job that matches a listing takes a moment. The count is asked for a few times, with growing pauses. */
const tries = 5
const firstPauseMs = 500

/** After a listing is posted, says how many members were told, and suggests wants. The history state has the listing. */
export function AfterPosting() {
  const posted = useLocation({ select: ({ state }) => state.posted })
  const isHydrated = useHydrated()
  if (posted === undefined || !isHydrated) return null
  return (
    <Stack as="section" gap="2" className={css.posted} aria-label={t`Your new listing`}>
      <Told key={posted} listing={posted} />
      <Suggestions />
    </Stack>
  )
}

function Told({ listing }: { listing: number }) {
  const { data } = useQuery({
    ...toldQuery(listing),
    refetchInterval: ({ state: { dataUpdateCount, errorUpdateCount } }) => {
      const done = dataUpdateCount + errorUpdateCount
      return done < tries && firstPauseMs * 2 ** done
    },
  })
  return <p role="status">{data && data.count > 0 ? toldText(data) : t`We tell gardeners who want this.`}</p>
}

function toldText({ count, is_near }: { count: number; is_near: boolean }) {
  return is_near
    ? plural(count, {
        one: '# gardener near you wants this. We told them.',
        other: '# gardeners near you want this. We told them.',
      })
    : plural(count, {
        one: '# gardener wants this. We told them.',
        other: '# gardeners want this. We told them.',
      })
}

/** Links that open the want form with an example of the season that the member does not want yet. */
function Suggestions() {
  const { data: wants = [] } = useQuery(myWantsQuery)
  const wanted = new Set(wants.map(({ title }) => title.toLowerCase()))
  const examples = seasonalWants(new Date(), region().country).filter(
    (title) => !wanted.has(title.toLowerCase()),
  )
  return (
    <Cluster gap="2">
      <Link to="/post-want" className={text.link}>
        {t`What do you want?`}
      </Link>
      {examples.map((q) => (
        <ButtonLink key={q} variant="quiet" size="small" to="/post-want" search={{ q }}>
          <Icon name="plus" size={16} />
          {q}
        </ButtonLink>
      ))}
    </Cluster>
  )
}
