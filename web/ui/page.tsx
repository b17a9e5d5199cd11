import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Cluster, Row } from './layout.tsx'
import css from './page.module.css'

type PageProps = {
  column?: boolean
  /** The part of the page beside the content, or above it on narrow screens. */
  rail?: ReactNode
  children: ReactNode
}

/** The content of a page, as wide as the shell or one column. */
export function Page({ column = false, rail, children }: PageProps) {
  return (
    <div className={classNames(css.page, column && css.column)}>
      {rail === undefined ? children : <RailLayout rail={rail} main={children} />}
    </div>
  )
}

type PageHeadProps = {
  title: ReactNode
  /** Titles are in italics, except for a member's name. */
  isName?: boolean
  /** The level of the heading: 2 if another part of the page has the main heading. */
  level?: 1 | 2
  back?: ReactNode
  action?: ReactNode
}

/** The title row with a double rule below. */
export function PageHead({ title, isName = false, level = 1, back, action }: PageHeadProps) {
  const Heading = level === 1 ? 'h1' : 'h2'
  return (
    <header className={css.head}>
      <Cluster className={css.row}>
        {back !== undefined && (
          <Row gap="0" align="stretch" className={css.back}>
            {back}
          </Row>
        )}
        <Heading
          tabIndex={level === 1 ? -1 : undefined}
          className={classNames(css.title, isName && css.name)}
        >
          {title}
        </Heading>
        {action !== undefined && (
          <Row gap="2" className={css.action}>
            {action}
          </Row>
        )}
      </Cluster>
    </header>
  )
}

/** Shows the rail above the main part, and from 1024 pixels as a sticky column beside it. */
function RailLayout({ rail, main }: { rail: ReactNode; main: ReactNode }) {
  return (
    <div className={css.railLayout}>
      <div className={css.rail}>{rail}</div>
      <div className={css.main}>{main}</div>
    </div>
  )
}
