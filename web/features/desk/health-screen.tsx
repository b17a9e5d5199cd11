import { plural, t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import type { Health, SiteFinding } from '#contract/health.ts'
import { formatNumber, perLocale } from '#web/i18n/formats.ts'
import { textOf } from '#web/i18n/i18n.ts'
import layout from '#web/styles/layout.module.css'
import text from '#web/styles/text.module.css'
import { Button } from '#web/ui/button.tsx'
import { classNames } from '#web/ui/class-names.ts'
import { ErrorState } from '#web/ui/error-state.tsx'
import { Fact, Facts } from '#web/ui/facts.tsx'
import { Icon } from '#web/ui/icon.tsx'
import { Row, Stack } from '#web/ui/layout.tsx'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { RowsSkeleton } from '#web/ui/skeleton.tsx'
import { shortTime, Time } from '#web/ui/time.tsx'
import { DeskPage } from './desk-page.tsx'
import { healthQuery, siteChecksQuery } from './desk-queries.ts'
import { checkTexts, stateTexts } from './desk-texts.ts'
import css from './health-screen.module.css'

/** The state of the nodes, the database and the disks, and checks of what is around the site. */
export function HealthScreen() {
  const health = useQuery(healthQuery)
  return (
    <DeskPage>
      {health.isPending && <RowsSkeleton />}
      {health.isError && health.data === undefined && (
        <ErrorState text={t`Failed to load data`} onRetry={() => void health.refetch()} />
      )}
      {health.data && (
        <>
          <State health={health.data} />
          <Stack as="section" gap="2" className={layout.section} aria-labelledby="machine">
            <SectionTitle id="machine">{t`This machine`}</SectionTitle>
            <Findings findings={health.data.alerts} />
          </Stack>
        </>
      )}
      <Surroundings />
    </DeskPage>
  )
}

function State({ health }: { health: Health }) {
  const { release, nodes, postgresql, replica, redis, photos, backup_at } = health
  return (
    <div className={layout.above5}>
      <Facts>
        <Fact name={t`Release`}>{release}</Fact>
        <Fact name={t`Nodes`}>{formatNumber(nodes)}</Fact>
        <Fact name="PostgreSQL">
          {postgresql.version} · {formatBytes(postgresql.bytes)}
        </Fact>
        <Fact name={t`Replica`}>{replica === null ? t`none` : <Replica replica={replica} />}</Fact>
        <Fact name="Redis">{redis === null ? t`none` : redis ? t`connected` : t`not connected`}</Fact>
        <Fact name={t`Photos`}>
          {plural({ count: photos.count }, { one: '# photo', other: '# photos' })} ·{' '}
          {formatBytes(photos.bytes)} · {photos.in_bucket ? t`in the bucket` : t`on disk`}
        </Fact>
        <Fact name={t`Newest backup`}>
          {backup_at === null ? t`none` : <Time at={backup_at} format={shortTime} />}
        </Fact>
      </Facts>
    </div>
  )
}

function Replica({ replica: { lag_ms, is_used } }: { replica: NonNullable<Health['replica']> }) {
  if (!is_used || lag_ms === null) return t`not used`
  return plural({ count: lag_ms / 1000 }, { one: '# second late', other: '# seconds late' })
}

function Findings({ findings }: { findings: readonly SiteFinding[] }) {
  return (
    <ul>
      {findings.map(({ key, state, says, todo }) => (
        <li key={`${key} ${says}`} className={classNames(layout.listItem, text.breakable)}>
          <Row gap="2" align="start" className={css[state]}>
            <Icon name={state === 'ok' ? 'check' : 'warn'} />
            <Stack gap="1">
              <p>
                <b>{textOf(checkTexts[key])}</b> · {textOf(stateTexts[state])}
              </p>
              <p dir="auto">{says}</p>
              {todo !== null && <p dir="auto">{todo}</p>}
            </Stack>
          </Row>
        </li>
      ))}
    </ul>
  )
}

/** The checks that ask other machines, and so take some seconds. */
function Surroundings() {
  const checks = useQuery({ ...siteChecksQuery, enabled: false })
  return (
    <Stack as="section" gap="2" className={layout.section} aria-labelledby="surroundings">
      <SectionTitle id="surroundings">{t`Around the site`}</SectionTitle>
      <p className={text.muted}>{t`Certificate, mail server and DNS. This takes some seconds.`}</p>
      <div>
        <Button
          variant="secondary"
          size="small"
          busy={checks.isFetching && t`Checking...`}
          onClick={() => void checks.refetch()}
        >{t`check now`}</Button>
      </div>
      <div role="status">
        {checks.isError && <p>{t`Failed to load data`}</p>}
        {checks.data && <Findings findings={checks.data} />}
      </div>
    </Stack>
  )
}

const megabytes = perLocale(
  (tag) => new Intl.NumberFormat(tag, { style: 'unit', unit: 'megabyte', maximumFractionDigits: 1 }),
)

function formatBytes(bytes: number): string {
  return megabytes().format(bytes / 1e6)
}
