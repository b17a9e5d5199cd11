import type { ComponentProps } from 'react'
import { classNames } from './class-names.ts'
import css from './theme-image.module.css'

type ThemeImageProps = Omit<ComponentProps<'img'>, 'src' | 'alt'> & {
  light: string
  dark: string
  alt: string
}

/** Shows one of two images of the same size, on light or on dark paper. The other is lazy, so it is not loaded. */
export function ThemeImage({ light, dark, alt, className, ...props }: ThemeImageProps) {
  return (
    <>
      <img {...props} alt={alt} className={classNames(css.onLight, className)} src={light} loading="lazy" />
      <img {...props} alt={alt} className={classNames(css.onDark, className)} src={dark} loading="lazy" />
    </>
  )
}
