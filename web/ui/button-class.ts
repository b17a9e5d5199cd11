import css from './button.module.css'
import { classNames } from './class-names.ts'

type ButtonVariant = 'primary' | 'secondary' | 'quiet' | 'danger' | 'dangerSolid'
export type ButtonShape = {
  variant?: ButtonVariant | undefined
  size?: 'small' | undefined
  wide?: boolean | undefined
}
export type IconButtonVariant = 'plain' | 'solid' | 'line' | 'paper' | 'delete'

/** Returns the class names of a button, for other elements that are styled as one. */
export function buttonClass({ variant = 'primary', size, wide }: ButtonShape): string {
  return classNames(css.button, css[variant], size === 'small' && css.small, wide && css.wide)
}

export function iconButtonClass(variant: IconButtonVariant = 'plain'): string {
  return classNames(css.iconButton, css[variant])
}
