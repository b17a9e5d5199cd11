import { type ComponentProps, createElement } from 'react'
import { classNames } from './class-names.ts'
import css from './layout.module.css'

type Element =
  | 'article'
  | 'blockquote'
  | 'dd'
  | 'div'
  | 'dl'
  | 'dt'
  | 'figure'
  | 'footer'
  | 'form'
  | 'header'
  | 'li'
  | 'nav'
  | 'ol'
  | 'p'
  | 'section'
  | 'span'
  | 'ul'

/** The space between items, in steps of a quarter of a rem. `2px` is for lines of one text. */
type Gap = '0' | '2px' | '1' | '2' | '3' | '4' | '5' | '6' | '8'

export type LayoutProps<Name extends Element> = ComponentProps<Name> & {
  /** The element, by default a `div`. */
  as?: Name
  gap?: Gap
  align?: 'start' | 'center' | 'end' | 'baseline' | 'stretch'
}

/** Items below each other. By default they are as wide as the stack. */
export function Stack<Name extends Element = 'div'>(props: LayoutProps<Name>) {
  return arrange(css.stack, props)
}

/** Items side by side, which do not wrap. By default they are centered on the line. */
export function Row<Name extends Element = 'div'>(props: LayoutProps<Name>) {
  return arrange(css.row, props)
}

/** Items side by side, which wrap. By default they are centered on the line. */
export function Cluster<Name extends Element = 'div'>(props: LayoutProps<Name>) {
  return arrange(css.cluster, props)
}

function arrange<Name extends Element>(
  layout: string | undefined,
  { as, gap, align, className, ...props }: LayoutProps<Name>,
) {
  const tag: string = as ?? 'div'
  return createElement(tag, {
    className: classNames(layout, gap && css[`gap${gap}`], align && css[align], className),
    ...props,
  })
}
