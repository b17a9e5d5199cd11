import { ThanksList } from './thanks-list.tsx'
import css from './thanks-section.module.css'

/** Shows the thank-yous to a member under a heading. */
export function ThanksSection({ memberId }: { memberId: number }) {
  return (
    <section className={css.section} aria-labelledby="thanks">
      <h2 id="thanks">Thank-yous</h2>
      <ThanksList memberId={memberId} />
    </section>
  )
}
