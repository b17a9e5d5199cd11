import { renderToStaticMarkup } from 'react-dom/server'
import { Landing } from './landing.tsx'

/**
 * Called by the build, which writes the page out.
 * @public
 */
export function landingMarkup(): string {
  return renderToStaticMarkup(<Landing />)
}
