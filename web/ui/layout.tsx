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

type Align = 'start' | 'center' | 'end' | 'baseline' | 'stretch'

export type LayoutProps<Name extends Element> = ComponentProps<Name> & {
  /** The element, by default a `div`. */
  as?: Name
  gap?: Gap
  align?: Align
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

type GridProps<Name extends Element> = LayoutProps<Name> & {
  columns?: 2 | '5rem' | '7rem' | '9rem' | '18rem'
}

/** Columns of one width: two, or as many as have room for this least width. By default one, which does not grow with its content. */
export function Grid<Name extends Element = 'div'>({
  as,
  columns,
  gap,
  align,
  className,
  ...props
}: GridProps<Name>) {
  const layout = classNames(css.grid, columns && css[`columns${columns}`])
  return element(as, classNames(layout, spacing(gap, align), className), props)
}

function arrange<Name extends Element>(
  layout: string | undefined,
  { as, gap, align, className, ...props }: LayoutProps<Name>,
) {
  return element(as, classNames(layout, spacing(gap, align), className), props)
}

function spacing(gap: Gap | undefined, align: Align | undefined) {
  return classNames(gap && css[`gap${gap}`], align && css[align])
}

function element(tag: string | undefined, className: string, props: object) {
  return createElement(tag ?? 'div', { className, ...props })
}
