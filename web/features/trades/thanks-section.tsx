import { t } from '@lingui/core/macro'
import layout from '#web/styles/layout.module.css'
import { SectionTitle } from '#web/ui/section-title.tsx'
import { ThanksList } from './thanks-list.tsx'

/** Shows the thank-yous to a member under a heading. */
export function ThanksSection({ memberId }: { memberId: number }) {
  return (
    <section className={layout.section} aria-labelledby="thanks">
      <SectionTitle id="thanks">{t`Thank-yous`}</SectionTitle>
      <ThanksList memberId={memberId} />
    </section>
  )
}
