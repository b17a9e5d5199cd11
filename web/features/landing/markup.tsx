import { renderToStaticMarkup } from 'react-dom/server'
import { Landing } from './landing.tsx'

export function landingMarkup(): string {
  return renderToStaticMarkup(<Landing />)
}
