import { SectionTitle } from '#web/ui/section-title.tsx'
import { ThanksList } from './thanks-list.tsx'
import css from './thanks-section.module.css'

/** Shows the thank-yous to a member under a heading. */
export function ThanksSection({ memberId }: { memberId: number }) {
  return (
    <section className={css.section} aria-labelledby="thanks">
      <SectionTitle id="thanks">Thank-yous</SectionTitle>
      <ThanksList memberId={memberId} />
    </section>
  )
}
