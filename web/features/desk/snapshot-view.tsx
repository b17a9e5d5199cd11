import { t } from '@lingui/core/macro'
import type { ReportCase, Snapshot } from '#contract/report-cases.ts'
import text from '#web/styles/text.module.css'
import { Cluster, Stack } from '#web/ui/layout.tsx'
import css from './snapshot-view.module.css'

/** Shows the reported thing as it was when the report was made. */
export function SnapshotView({ snapshot, author }: { snapshot: Snapshot; author: ReportCase['member'] }) {
  const { title, photos, messages } = snapshot
  return (
    <Stack as="blockquote" gap="2" className={css.snapshot} aria-label={t`As it was when it was reported`}>
      {title !== null && <b dir="auto">{title}</b>}
      {messages.length === 0 && snapshot.text !== null && <p dir="auto">{snapshot.text}</p>}
      <Photos srcs={photos} />
      {messages.length > 0 && (
        <ol>
          {messages.map(({ id, sender_id, content, photos }) => (
            <li key={id}>
              <span className={text.muted}>
                {sender_id === author?.id ? t`Reported member:` : t`Other member:`}
              </span>{' '}
              <span dir="auto">{content}</span>
              <Photos srcs={photos} />
            </li>
          ))}
        </ol>
      )}
    </Stack>
  )
}

function Photos({ srcs }: { srcs: readonly string[] }) {
  if (srcs.length === 0) return null
  return (
    <Cluster gap="2">
      {srcs.map((src, index) => (
        <img
          key={src}
          src={src}
          alt={t`As reported: ${{ number: index + 1 }}`}
          width="160"
          height="120"
          loading="lazy"
        />
      ))}
    </Cluster>
  )
}
